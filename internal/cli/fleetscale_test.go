package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/test/await"
	"seaworthy/internal/test/remotetest"
)

var (
	fleetHosts = flag.Int("fleet-hosts", 0, "hosts of TestFleetScale")
	fleetAgain = flag.Int("fleet-again", 0, "further sweeps of the same hosts by TestFleetScale")
)

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
	lpar := pretendedLPAR(t)
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

// pretendedLPAR is an AIX host with the outputs of a real one.
func pretendedLPAR(t *testing.T) *fakeHost {
	t.Helper()
	for login, h := range fakeFleet(t) {
		if strings.HasSuffix(login, "lpar1") {
			return h
		}
	}
	t.Fatal("no lpar1 among the pretended hosts")
	return nil
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

// program is seaworthy in a process of its own.
type program struct {
	name    string
	process *exec.Cmd
	said    bytes.Buffer // both streams; whole once it has ended
}

// startProgram starts seaworthy, which is interrupted at the end of the test.
func startProgram(t *testing.T, name string, args ...string) *program {
	t.Helper()
	p := &program{name: name, process: exec.Command("seaworthy", args...)}
	p.process.Stdout, p.process.Stderr = &p.said, &p.said
	err := p.process.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := errors.Join(p.process.Process.Signal(os.Interrupt), p.process.Wait())
		if err != nil {
			t.Errorf("%s: %v\n%s", p.name, err, p.said.String())
		}
	})
	return p
}

// used is the processor time of a process with the programs that it ran and waited for.
func used(t *testing.T, process *exec.Cmd) (d time.Duration) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	for _, f := range fields[11:15] { // user and system, its own and its children's, in hundredths of a second
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		d += time.Duration(n) * 10 * time.Millisecond
	}
	return d
}

// peak is the largest memory that a process has had so far, in MiB.
func peak(t *testing.T, process *exec.Cmd) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}

// Hosts of four zones are swept by a hub and four collectors, each in a process of its own, over
// real SSH logins: some 50 servers in another process answer for all of them. Beside it, ansible
// -m raw asks 200 of them for one command.
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
	hub := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "seaworthy", append(append([]string{"fleet"}, args...), "--state", at("hub"))...).CombinedOutput()
		if err != nil {
			return err.Error() + "\n" + string(out)
		}
		return string(out)
	}
	own := []*program{startProgram(t, "hub", "fleet", "serve", "--listen", "127.0.0.1:0", "--pages", "none",
		"--state", at("hub"), "--history", "sqlite:"+at("h.sqlite"))}
	await.Until(t, "the hub answers", func() bool { return strings.Contains(hub("zones"), "No zones") })
	for z, text := range servers.inventories(*fleetHosts) {
		name := fmt.Sprintf("zone%d", z)
		err := os.WriteFile(at(name+".yaml"), []byte(text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		hub("token", name, "-o", at(name+".token"))
		own = append(own, startProgram(t, name, "-i", at(name+".yaml"), "fleet", "join", "--token", at(name+".token"),
			"--spool", at(name), "--at-once", "8"))
	}
	await.Until(t, "the hub knows the hosts", func() bool {
		return strings.Count(hub("zones"), fmt.Sprintf(" %d ", *fleetHosts/scaleZones)) == scaleZones
	})
	for sweep := range 1 + *fleetAgain {
		before := make([]time.Duration, len(own))
		for i, p := range own {
			before[i] = used(t, p.process)
		}
		served := used(t, servers.process)
		began := time.Now()
		said := hub("sweep", "--wait")
		took := time.Since(began)
		if !strings.Contains(said, fmt.Sprintf("%d: %[1]d read", *fleetHosts)) {
			t.Errorf("not all were read:\n%s", said)
		}
		each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(*fleetHosts) }
		t.Logf("sweep %d, %d hosts in %s: %.1f a second, %.1f ms each", sweep+1, *fleetHosts, took.Round(time.Millisecond),
			float64(*fleetHosts)/took.Seconds(), each(took))
		for i, p := range own {
			t.Logf("%s: %.2f ms of processor time a host of the fleet, at most %d MiB", p.name, each(used(t, p.process)-before[i]), peak(t, p.process))
		}
		t.Logf("servers: %.2f ms", each(used(t, servers.process)-served))
	}
	compareAnsible(t, servers, dir, min(*fleetHosts, 200))
}

// inventories are the hosts files of the zones, with so many hosts together.
func (s *scaled) inventories(hosts int) (out [scaleZones]string) {
	var files [scaleZones]strings.Builder
	for z := range files {
		fmt.Fprintf(&files[z], "ssh_config: %s\nhosts:\n", s.Config)
	}
	for i := range hosts {
		address, port, _ := strings.Cut(s.Addresses[i%scaleServers], ":")
		fmt.Fprintf(&files[i%scaleZones], "  h%05d: {address: %s, port: %s, user: %s, platform: aix}\n", i, address, port, remotetest.User)
	}
	for z := range files {
		out[z] = files[z].String()
	}
	return out
}

// compareAnsible has ansible ask hosts, as many at once as the sweep: for one command each, and then
// for all that a sweep asks, in the same sessions.
func compareAnsible(t *testing.T, servers *scaled, dir string, n int) {
	t.Helper()
	_, err := exec.LookPath("ansible-playbook")
	if err != nil {
		t.Log("ansible is not installed: not compared")
		return
	}
	var text strings.Builder
	for i := range n {
		address, port, _ := strings.Cut(servers.Addresses[i%scaleServers], ":")
		fmt.Fprintf(&text, "a%03d ansible_host=%s ansible_port=%s ansible_user=%s\n", i, address, port, remotetest.User)
	}
	inventory := filepath.Join(dir, "ansible.ini")
	err = os.WriteFile(inventory, []byte(text.String()), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	run := func(what, answer string, name string, args ...string) {
		cmd := exec.CommandContext(t.Context(), name, append(args, "-i", inventory, "-f", "32")...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "ANSIBLE_HOST_KEY_CHECKING=True", "ANSIBLE_SSH_USETTY=False")
		began := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(began)
		t.Logf("ansible -m raw, %s on %d hosts, 32 forks: %s, %.1f hosts a second (%v, %d answers)", what, n, took.Round(time.Millisecond),
			float64(n)/took.Seconds(), err, strings.Count(string(out), answer))
	}
	ssh := "-F " + servers.Config
	run("one command", "| CHANGED", "ansible", "all", "-m", "raw", "-a", "uname -s",
		"--ssh-common-args", ssh+" -o ControlMaster=no -o ControlPath=none")
	sessions := sweptSessions(t)
	book := filepath.Join(dir, "sweep.yaml")
	text.Reset()
	text.WriteString("- hosts: all\n  gather_facts: false\n  tasks:\n")
	for _, line := range sessions {
		quoted, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "  - {ansible.builtin.raw: !unsafe %s, failed_when: false}\n", quoted)
	}
	err = os.WriteFile(book, []byte(text.String()), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	run(fmt.Sprintf("the %d sessions of a sweep", len(sessions)), "changed: [", "ansible-playbook", book,
		"--ssh-common-args", ssh+" -o ControlMaster=auto -o ControlPersist=5s -o ControlPath="+filepath.Join(dir, "%C"))
}

// sweptSessions are the lines that a host is sent when it is read.
func sweptSessions(t *testing.T) []string {
	t.Helper()
	fleet := remotetest.Start(t, map[string]remotetest.Handler{"one": pretendedLPAR(t).serve})
	address, port, _ := strings.Cut(fleet.Server("one").Address(), ":")
	hosts := filepath.Join(t.TempDir(), "hosts.yaml")
	text := fmt.Sprintf("ssh_config: %s\nhosts:\n  one: {address: %s, port: %s, user: %s, platform: aix}\n", fleet.Config, address, port, remotetest.User)
	err := os.WriteFile(hosts, []byte(text), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "seaworthy", "-i", hosts, "collect", "-o", filepath.Join(t.TempDir(), "out")).CombinedOutput()
	if err != nil {
		t.Fatalf("collect: %v\n%s", err, out)
	}
	return fleet.Server("one").Sessions()
}
