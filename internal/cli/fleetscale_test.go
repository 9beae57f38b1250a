package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/remotetest"
)

var fleetHosts = flag.Int("fleet-hosts", 0, "hosts of TestFleetScale")

const scaleServers, scaleZones = 50, 4

// scaleVariable has TestScaleServers serve, and names the file for what it serves.
const scaleVariable = "SEAWORTHY_SCALE_SERVERS"

// scaled are the SSH servers of a process of their own.
type scaled struct {
	Config    string   // ssh_config
	Addresses []string // HOST:PORT

	process *exec.Cmd
}

// TestScaleServers is the process of the servers: it ends with its standard input.
func TestScaleServers(t *testing.T) {
	file := os.Getenv(scaleVariable)
	if file == "" {
		t.Skip("TestFleetScale starts it")
	}
	var lpar *fakeHost
	for login, h := range fakeFleet(t) {
		if strings.HasSuffix(login, "lpar1") {
			lpar = h
		}
	}
	if lpar == nil {
		t.Fatal("no lpar1 among the pretended hosts")
	}
	handlers := map[string]remotetest.Handler{}
	for i := range scaleServers {
		handlers[fmt.Sprintf("s%d", i)] = lpar.serve
	}
	servers := remotetest.Start(t, handlers)
	s := scaled{Config: servers.Config}
	for i := range scaleServers {
		s.Addresses = append(s.Addresses, servers.Server(fmt.Sprintf("s%d", i)).Address())
	}
	text, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// startScaled starts the servers.
func startScaled(t *testing.T) *scaled {
	t.Helper()
	file := filepath.Join(t.TempDir(), "servers.json")
	s := &scaled{process: exec.Command(os.Args[0], "-test.run", "^TestScaleServers$")}
	s.process.Env = append(os.Environ(), scaleVariable+"="+file)
	in, err := s.process.StdinPipe()
	if err == nil {
		err = s.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		err := s.process.Wait()
		if err != nil {
			t.Errorf("servers: %v", err)
		}
	})
	await.Until(t, "the servers listen", func() bool {
		text, err := os.ReadFile(file)
		return err == nil && json.Unmarshal(text, s) == nil
	})
	return s
}

// used is the processor time of the servers, and of this process with the programs that it ran.
func (s *scaled) used(t *testing.T) (servers, own time.Duration) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	for _, f := range fields[11:13] { // user and system, in hundredths of a second
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		servers += time.Duration(n) * 10 * time.Millisecond
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		err = syscall.Getrusage(who, &u)
		if err != nil {
			t.Fatal(err)
		}
		own += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return servers, own
}

// resident is the largest memory that this process has had so far, in MiB.
func resident(t *testing.T) int64 {
	t.Helper()
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	if err != nil {
		t.Fatal(err)
	}
	return u.Maxrss >> 10
}

// Hosts of four zones are swept by a hub and four collectors, over real SSH logins: some 50
// servers in another process answer for all of them. Beside it, ansible -m raw asks 200 of them
// for one command.
//
//	go test ./internal/cli -run TestFleetScale -v -fleet-hosts 1000
func TestFleetScale(t *testing.T) {
	if *fleetHosts == 0 {
		t.Skip("-fleet-hosts N measures a sweep")
	}
	servers := startScaled(t)
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	var files [scaleZones]strings.Builder
	for z := range files {
		fmt.Fprintf(&files[z], "ssh_config: %s\nhosts:\n", servers.Config)
	}
	for i := range *fleetHosts {
		address, port, _ := strings.Cut(servers.Addresses[i%scaleServers], ":")
		fmt.Fprintf(&files[i%scaleZones], "  h%05d: {address: %s, port: %s, user: %s, platform: aix}\n", i, address, port, remotetest.User)
	}
	ctx, stop := context.WithCancel(context.Background())
	var over sync.WaitGroup
	defer over.Wait()
	defer stop()
	run := func(args ...string) string {
		var out bytes.Buffer
		cli.Main(ctx, args, strings.NewReader(""), &out, &out)
		return out.String()
	}
	beside := func(args ...string) { over.Go(func() { run(args...) }) }
	hub := func(args ...string) string {
		return run(append(append([]string{"fleet"}, args...), "--state", at("hub"))...)
	}
	beside("fleet", "serve", "--listen", "127.0.0.1:0", "--pages", "none", "--state", at("hub"), "--history", "sqlite:"+at("h.sqlite"))
	await.Until(t, "the hub answers", func() bool { return strings.Contains(hub("zones"), "No zones") })
	for z := range files {
		name := fmt.Sprintf("zone%d", z)
		err := os.WriteFile(at(name+".yaml"), []byte(files[z].String()), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		hub("token", name, "-o", at(name+".token"))
		beside("-i", at(name+".yaml"), "fleet", "join", "--token", at(name+".token"), "--spool", at(name), "--at-once", "8")
	}
	await.Until(t, "the hub knows the hosts", func() bool {
		return strings.Count(hub("zones"), fmt.Sprintf(" %d ", *fleetHosts/scaleZones)) == scaleZones
	})
	servedBefore, ownBefore := servers.used(t)
	began := time.Now()
	said := hub("sweep", "--wait")
	took := time.Since(began)
	served, own := servers.used(t)
	if !strings.Contains(said, fmt.Sprintf("%d: %[1]d read", *fleetHosts)) {
		t.Errorf("not all were read:\n%s", said)
	}
	each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(*fleetHosts) }
	t.Logf("%d hosts in %s: %.1f a second, %.1f ms each; processor time each: %.1f ms of hub and collectors, %.1f ms of the servers; "+
		"hub and collectors have used up to %d MiB", *fleetHosts, took.Round(time.Millisecond), float64(*fleetHosts)/took.Seconds(), each(took),
		each(own-ownBefore), each(served-servedBefore), resident(t))
	compareAnsible(t, servers, dir, min(*fleetHosts, 200))
}

// compareAnsible has ansible ask hosts for one command each, as many at once.
func compareAnsible(t *testing.T, servers *scaled, dir string, n int) {
	t.Helper()
	_, err := exec.LookPath("ansible")
	if err != nil {
		t.Log("ansible is not installed: not compared")
		return
	}
	var text strings.Builder
	for i := range n {
		address, port, _ := strings.Cut(servers.Addresses[i%scaleServers], ":")
		fmt.Fprintf(&text, "a%03d ansible_host=%s ansible_port=%s ansible_user=%s\n", i, address, port, remotetest.User)
	}
	file := filepath.Join(dir, "ansible.ini")
	err = os.WriteFile(file, []byte(text.String()), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "ansible", "all", "-i", file, "-m", "raw", "-a", "uname -s", "-f", "32",
		"--ssh-common-args", "-F "+servers.Config+" -o ControlMaster=no -o ControlPath=none")
	cmd.Env = append(os.Environ(), "HOME="+dir, "ANSIBLE_HOST_KEY_CHECKING=True", "ANSIBLE_SSH_USETTY=False")
	began := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(began)
	t.Logf("ansible -m raw, one command on %d hosts, 32 forks: %s, %.1f hosts a second (%v, %d answers)", n, took.Round(time.Millisecond),
		float64(n)/took.Seconds(), err, strings.Count(string(out), "| CHANGED"))
}
