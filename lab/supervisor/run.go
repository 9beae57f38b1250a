package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/remote/labs"
	"seaworthy/lab/console"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/rpc"
	"seaworthy/lab/sshd"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Descriptors that the starting process hands over in addition to the standard ones.
// Config comes as JSON on standard input.
const (
	// LineFD is a socket: one Answer goes out when the lab is up or has failed; Keep or Tie
	// comes in, and its end before that ends the lab.
	LineFD  = 3 + iota
	LockFD  // the locked LockFile
	GuardFD // open as long as the lab needs its control groups and, if it is tied, its folder
)

// What the starting process writes to LineFD once the lab is up.
const (
	Keep byte = 'k' // the lab stays up without the starting process
	Tie  byte = 't' // the lab ends when LineFD does
)

// Run is the main function of the supervisor. It returns an exit status when
// the lab is down.
func Run(m Backend) int {
	for _, fd := range []int{LineFD, LockFD, GuardFD} {
		unix.CloseOnExec(fd)
	}
	line := os.NewFile(LineFD, "line")
	var c Config
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		_ = json.NewEncoder(line).Encode(Answer{Error: fmt.Sprintf("lab supervisor: configuration: %v", err)})
		return 1
	}
	if c.Debug {
		slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug})))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := &lab{Config: c, backend: m, stop: cancel, kept: make(chan struct{})}
	go l.watchStarter(line)
	term := make(chan os.Signal, 1)
	// Caught and dropped, not ignored: commands of the nodes would inherit that, and outlive Ctrl-C and | head.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGPIPE)
	signal.Notify(term, syscall.SIGTERM)
	go func() {
		<-term
		cancel()
	}()
	// Building a lab makes much garbage in a second: collecting it can wait.
	rest := debug.SetGCPercent(400)
	answer, err := l.up(ctx)
	debug.SetGCPercent(rest)
	a := Answer{Result: json.RawMessage("true")}
	if err != nil {
		a = Answer{Error: err.Error()}
	}
	_ = json.NewEncoder(line).Encode(a)
	if err == nil {
		// Requests are answered once the lab is kept, so that callers can rely on it.
		select {
		case <-l.kept:
			answer()
			<-ctx.Done()
		case <-ctx.Done():
		}
	}
	// Processes, mounts and namespaces are left to the kernel, which takes them when this
	// process ends.
	_ = unix.Unmount(mountPoint(l.Dir), unix.MNT_DETACH)
	_ = os.RemoveAll(l.Dir)
	if err != nil {
		return 1
	}
	return 0
}

// lab is the running lab.
type lab struct {
	Config
	backend Backend
	stop    func()
	kept    chan struct{} // closed when the starting process lets go
	state   *LabState
}

// watchStarter ends the lab with the process that is still starting it, and a
// tied one with the process that started it. Run cleans up, once nothing of the
// lab is being built any more: what comes later would stay in the state folder.
func (l *lab) watchStarter(line *os.File) {
	defer line.Close()
	var b [1]byte
	if n, _ := line.Read(b[:]); n == 1 && (b[0] == Keep || b[0] == Tie) {
		close(l.kept)
		if b[0] == Keep {
			return
		}
		_, _ = line.Read(b[:]) // until its end
	}
	l.stop()
}

// up makes the whole lab and gives the function that lets it answer.
func (l *lab) up(ctx context.Context) (answer func(), err error) {
	t, err := topology.Parse(l.File, []byte(l.Topology))
	if err != nil {
		return nil, err
	}
	l.state = &LabState{Config: l.Config, Topology: t, nodes: map[string]*nodeThread{}, reaper: newReaper()}
	var base *rootfs.Base
	var logins *keys
	info := Info{Name: l.Name, Topology: t.Name, Started: l.Started, Rootless: !initialUserNamespace(), Nodes: nodeInfos(t, l.Strict)}
	if t.HMC != "" {
		info.HMC = &NodeInfo{Name: t.HMC, Role: "hmc", Users: console.Logins}
	}
	nodes := info.Nodes
	var parts errgroup.Group
	parts.Go(func() (err error) {
		base, err = rootfs.Prepare(mountPoint(l.Dir), rootfs.Spec{Program: l.Program, Answer: l.backend.Answer(), Probe: l.Probe, Shell: l.Shell,
			Commands: l.backend.Names(), Behaviour: l.Behaviour})
		return err
	})
	parts.Go(func() (err error) {
		l.state.Network, err = wire.Build(ctx, t)
		return err
	})
	parts.Go(func() (err error) {
		logins, err = writeLogins(l.Config, info.Logins())
		return err
	})
	if err := parts.Wait(); err != nil {
		return nil, err
	}
	if err := l.bound(len(nodes)); err != nil {
		return nil, err
	}
	if err := l.enterNodes(base, t, nodes); err != nil {
		return nil, err
	}
	served, err := l.backend.Build(ctx, l.state)
	if err != nil {
		return nil, err
	}
	for _, p := range l.state.nodes {
		if err := p.booted(); err != nil {
			return nil, err
		}
	}
	return l.serve(ctx, served, logins, info)
}

func (l *lab) enterNodes(base *rootfs.Base, t *topology.Topology, nodes []NodeInfo) error {
	var hosts []rootfs.Host
	for _, n := range nodes {
		if n.Address != "" {
			hosts = append(hosts, rootfs.Host{Address: n.Address, Name: n.Name})
		}
	}
	for _, n := range t.Hosts() {
		fd, err := l.state.Network.FD(n.Name)
		if err != nil {
			return err
		}
		view := rootfs.Node{Name: n.Name, VIOS: n.Role == topology.VIOS, Linux: n.OS == topology.Linux, Hosts: hosts}
		p, err := newNodeThread(base, l.state.reaper, fd, view, n.VCPUs, len(l.state.nodes))
		if err != nil {
			return err
		}
		if l.Quota != nil {
			if err := p.join(l.Quota); err != nil {
				return err
			}
		}
		l.state.nodes[n.Name] = p
	}
	return nil
}

// serve opens every socket.
func (l *lab) serve(ctx context.Context, served *Served, k *keys, info Info) (answer func(), err error) {
	var started []func()
	if err := fileio.Mkdir(SSHSocket(l.Dir, "")); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	login := func(n NodeInfo, start sshd.Starter) error {
		logins, err := net.Listen("unix", SSHSocket(l.Dir, n.Name))
		if err != nil {
			return fmt.Errorf("%s: SSH socket: %w", n.Name, err)
		}
		conf := sshd.Config{HostKey: k.host, Allowed: k.allowed, Users: n.Users, Start: start}
		if l.Strict {
			conf.Banner = "Unauthorised use of " + n.Name + " is prohibited.\n"
		}
		started = append(started, func() { sshd.Serve(ctx, logins, conf) })
		return nil
	}
	for _, n := range info.Nodes {
		p := l.state.nodes[n.Name]
		if !p.linux { // nothing there asks the lab
			var calls net.Listener
			err := p.do(func() (err error) {
				calls, err = net.Listen("unix", rootfs.Control)
				return err
			})
			if err != nil {
				return nil, fmt.Errorf("%s: control socket: %w", n.Name, err)
			}
			started = append(started, func() { rpc.Serve(ctx, calls, n.Name, served.Commands) })
		}
		if err := login(n, l.state.starter(p)); err != nil {
			return nil, err
		}
	}
	if info.HMC != nil && served.HMC != nil {
		if err := login(*info.HMC, served.HMC); err != nil {
			return nil, err
		}
	}
	sock, err := net.Listen("unix", labs.ControlSocket(l.Dir))
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	ctl := &control{info: info, queries: served.Queries, stop: l.stop}
	started = append(started, func() { ctl.serve(ctx, sock) })
	return func() {
		for _, f := range started {
			go f()
		}
	}, nil
}
