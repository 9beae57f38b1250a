package guest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"seaworthy/internal/base/fileio"
)

// Options are how a guest is started.
type Options struct {
	Dir  string   // where Build put images
	Port *os.File // a tap device for Kind.Interface; nil: nobody is at its other end
	// State is a folder for the guest's SSH configuration and its console's output.
	State string
}

// Guest is a running one.
type Guest struct {
	Kind    Kind
	state   string
	address string // of its SSH server
	ended   chan struct{}
	stop    func()
	errs    bytes.Buffer
}

// bootTime is how long a guest may take until SSH answers, emulated on a busy machine.
const bootTime = 15 * time.Minute

// Start boots a guest and returns when its SSH server answers. It ends with Stop or
// this process.
func Start(ctx context.Context, k Kind, o Options) (_ *Guest, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("guest %s: %w", k.Name, err)
		}
	}()
	if err := installed(k.Machine[0]); err != nil {
		return nil, err
	}
	g := &Guest{Kind: k, state: o.State, ended: make(chan struct{})}
	if g.address, err = freeAddress(); err != nil {
		return nil, err
	}
	image := filepath.Join(o.Dir, k.Name)
	if err := g.configure(image); err != nil {
		return nil, err
	}
	c := exec.Command(k.Machine[0], slices.Concat(k.Machine[1:], k.arguments(image, g.Console(), g.address, o.Port != nil))...)
	c.Stderr = &g.errs
	if o.Port != nil {
		c.ExtraFiles = []*os.File{o.Port}
	}
	// Whatever ends this process ends the guest.
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel kills the child when the thread that made it ends
		defer close(g.ended)
		err := c.Start()
		started <- err
		if err == nil {
			_ = c.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	g.stop = func() { _ = c.Process.Kill() }
	if err := g.Await(ctx); err != nil {
		g.Stop()
		return nil, err
	}
	return g, nil
}

func (k Kind) arguments(image, console, ssh string, joined bool) []string {
	at := func(name string) string { return filepath.Join(image, name) }
	lan := "user,id=lan,restrict=on"
	if joined {
		lan = "tap,id=lan,fd=3"
	}
	return []string{
		"-m", "1G", "-nodefaults", "-nographic", "-serial", "file:" + console,
		"-kernel", at("kernel"), "-initrd", at("initrd"), "-append", "quiet " + k.Boot,
		"-drive", "if=none,id=disk,format=raw,snapshot=on,file=" + at("disk"), "-device", "virtio-blk-pci,drive=disk",
		"-netdev", "user,id=mgmt,restrict=on,hostfwd=tcp:" + ssh + "-:22",
		"-device", "virtio-net-pci,netdev=mgmt,mac=52:54:00:00:00:01,romfile=",
		"-netdev", lan, "-device", k.Port + ",netdev=lan,mac=52:54:00:00:00:02",
		"-object", "rng-random,id=rng,filename=/dev/urandom", "-device", "virtio-rng-pci,rng=rng",
	}
}

// freeAddress is one of this machine that nothing listens at.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// configure writes the files that ssh -F takes. The guest's host key is that of its image.
func (g *Guest) configure(image string) error {
	key, err := os.ReadFile(filepath.Join(image, "host.pub"))
	if err != nil {
		return err
	}
	id, err := os.ReadFile(filepath.Join(image, "id"))
	if err != nil {
		return err
	}
	at := func(name string) string { return filepath.Join(g.state, name) }
	host, port, err := net.SplitHostPort(g.address)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Host %s\n  HostName %s\n  Port %s\n  User root\n  HostKeyAlias %[1]s.guest\n", g.Kind.Name, host, port)
	fmt.Fprintf(&b, "  IdentityFile %s\n  IdentitiesOnly yes\n  UserKnownHostsFile %s\n", at("id"), at("known_hosts"))
	for name, text := range map[string]string{
		"ssh_config": b.String(), "known_hosts": g.Kind.Name + ".guest " + string(key), "id": string(id), "console": "",
	} {
		if err := fileio.Write(at(name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// SSHConfig is the path of a configuration for ssh -F, in which the guest has its kind's name.
func (g *Guest) SSHConfig() string { return filepath.Join(g.state, "ssh_config") }

// Console is the path of the file that has what the guest printed.
func (g *Guest) Console() string { return filepath.Join(g.state, "console") }

// Await returns when the guest's SSH server answers: at its start, and after it
// was rebooted.
func (g *Guest) Await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, bootTime)
	defer cancel()
	pause := time.NewTicker(200 * time.Millisecond)
	defer pause.Stop()
	for {
		if greets(ctx, g.address) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("SSH does not answer: %w; its console: %s", context.Cause(ctx), g.Console())
		case <-g.ended:
			return fmt.Errorf("QEMU ended: %s; the console: %s", strings.TrimSpace(g.errs.String()), g.Console())
		case <-pause.C:
		}
	}
}

// greets says whether an SSH server is at the address. QEMU takes the connection
// before the guest does, so only what the server says counts.
func greets(ctx context.Context, address string) bool {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	b := make([]byte, 4)
	_, err = io.ReadFull(c, b)
	return err == nil && string(b) == "SSH-"
}

// Ended is closed once the guest is gone: powered off, or stopped.
func (g *Guest) Ended() <-chan struct{} { return g.ended }

// Stop ends the guest as a power cut would.
func (g *Guest) Stop() {
	g.stop()
	<-g.ended
}
