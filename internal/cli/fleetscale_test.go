package cli_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/remotetest"
)

var fleetHosts = flag.Int("fleet-hosts", 0, "hosts of TestFleetScale")

const scaleServers, scaleZones = 50, 4

// Hosts of four zones are swept by a hub and four collectors, over real SSH logins: some 50
// servers answer for all of them. Beside it, ansible -m raw asks 200 of them for one command.
//
//	go test ./internal/cli -run TestFleetScale -v -fleet-hosts 1000
func TestFleetScale(t *testing.T) {
	if *fleetHosts == 0 {
		t.Skip("-fleet-hosts N measures a sweep")
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
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	var files [scaleZones]strings.Builder
	for z := range files {
		fmt.Fprintf(&files[z], "ssh_config: %s\nhosts:\n", servers.Config)
	}
	for i := range *fleetHosts {
		address, port, _ := strings.Cut(servers.Server(fmt.Sprintf("s%d", i%scaleServers)).Address(), ":")
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
	beside("fleet", "serve", "--listen", "127.0.0.1:0", "--state", at("hub"), "--history", "sqlite:"+at("h.sqlite"))
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
	began := time.Now()
	said := hub("sweep", "--wait")
	took := time.Since(began)
	if !strings.Contains(said, fmt.Sprintf("%d: %[1]d read", *fleetHosts)) {
		t.Errorf("not all were read:\n%s", said)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d hosts in %s: %.1f a second, %.1f ms each; %d MiB from the system for hub, collectors and servers", *fleetHosts,
		took.Round(time.Millisecond), float64(*fleetHosts)/took.Seconds(), took.Seconds()*1000/float64(*fleetHosts), m.Sys>>20)
	compareAnsible(t, servers, dir, min(*fleetHosts, 200))
}

// compareAnsible has ansible ask hosts for one command each, as many at once.
func compareAnsible(t *testing.T, servers *remotetest.Fleet, dir string, n int) {
	t.Helper()
	_, err := exec.LookPath("ansible")
	if err != nil {
		t.Log("ansible is not installed: not compared")
		return
	}
	var text strings.Builder
	for i := range n {
		address, port, _ := strings.Cut(servers.Server(fmt.Sprintf("s%d", i%scaleServers)).Address(), ":")
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
