package fleet_test

import (
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/test/remotetest"
	"seaworthy/internal/test/transcripts"
)

// reach is the access to hosts that run, and the notices it gave.
func reach(t *testing.T) (hosts *remotetest.Fleet, access fleet.Access, notices *[]string) {
	t.Helper()
	hosts = transcripts.Start(t)
	notices = &[]string{}
	access = fleet.Access{SSHConfig: hosts.Config, OnNotice: func(line string) { *notices = append(*notices, line) }}
	return hosts, access, notices
}

// save collects from hosts into a folder.
func save(t *testing.T, access fleet.Access, names ...string) string {
	t.Helper()
	c, err := access.Open(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	dir := t.TempDir() + "/saved"
	_, err = c.Collect(t.Context(), dir, collect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadFoldersAndRunningHosts(t *testing.T) {
	_, access, _ := reach(t)
	dir := save(t, access, "lpar1", "vios1")
	r, err := access.Read(t.Context(), []string{dir, "lpar2"}, fleet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lpar1", "vios1", "lpar2"} {
		if r.Fleet.Host(name) == nil {
			t.Errorf("%s is not in the reading", name)
		}
	}
	if !r.Complete() || r.Before != nil {
		t.Errorf("got failures %v and a reading before %v, want neither", r.Failed, r.Before)
	}
}

// Beside a folder, the name of a host in it chooses the host: nothing runs to be asked.
func TestReadChosen(t *testing.T) {
	hosts, access, _ := reach(t)
	dir := save(t, access, "lpar1", "vios1", "lpar2")
	hosts.Server("lpar1").Down()
	hosts.Server("lpar2").Down()
	r, err := access.ReadChosen(t.Context(), []string{"lpar2", dir, "lpar1"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Fleet.Hosts) != 2 || r.Fleet.Host("lpar1") == nil || r.Fleet.Host("lpar2") == nil || !r.Complete() {
		t.Errorf("got hosts %v and failures %v, want lpar1 and lpar2 of the folder", r.Fleet.Hosts, r.Failed)
	}
	r, err = access.ReadChosen(t.Context(), []string{dir})
	if err != nil || len(r.Fleet.Hosts) != 3 {
		t.Errorf("a folder alone: got %+v, %v, want its three hosts", r, err)
	}
}

// A host that does not answer is named and does not stop the others; no host at
// all is an error.
func TestReadWithoutAHost(t *testing.T) {
	hosts, access, notices := reach(t)
	hosts.Server("lpar2").Down()
	r, err := access.Read(t.Context(), []string{"lpar1", "lpar2"}, fleet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, failed := r.FailedOn("lpar2")
	if r.Fleet.Host("lpar1") == nil || !failed || r.Broken()["lpar2"] == "" {
		t.Errorf("got hosts %v and failures %v, want lpar1 read and lpar2 failed", r.Fleet.Hosts, r.Failed)
	}
	if !strings.Contains(strings.Join(*notices, "\n"), "lpar2") {
		t.Errorf("got notices %q, want one that names lpar2", *notices)
	}
	_, err = access.Read(t.Context(), []string{"lpar2"}, fleet.Options{})
	if err == nil || !strings.Contains(err.Error(), "lpar2") {
		t.Errorf("no host at all: got %v, want an error that names lpar2", err)
	}
}

func TestReadRefusesWhatMakesNoSense(t *testing.T) {
	_, access, _ := reach(t)
	dir := save(t, access, "lpar1")
	read := func(args ...string) error {
		_, err := access.Read(t.Context(), args, fleet.Options{})
		return err
	}
	for name, err := range map[string]error{"no argument": read(), "a folder twice": read(dir, dir)} {
		var usage *app.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%s: got %v, want a mistake on the command line", name, err)
		}
	}
	if err := read("no/such/folder"); err == nil || !strings.Contains(err.Error(), "no such folder") {
		t.Errorf("a folder that does not exist: got %v", err)
	}
}

// The folder of --since is the reading before; one that is later is refused.
func TestReadWithBaseline(t *testing.T) {
	_, access, _ := reach(t)
	earlier := save(t, access, "lpar1", "lpar2")
	later := save(t, access, "lpar1")
	r, err := access.ReadWithBaseline(t.Context(), []string{later}, earlier, fleet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Before == nil || len(r.Before.Hosts) != 1 || r.Before.Hosts[0].Name != "lpar1" {
		t.Errorf("reading before: got %+v, want that of lpar1 alone", r.Before)
	}
	_, err = access.ReadWithBaseline(t.Context(), []string{earlier}, later, fleet.Options{})
	if err == nil || !strings.Contains(err.Error(), "not earlier") {
		t.Errorf("a baseline that is later: got %v, want that it is not earlier", err)
	}
	both, err := access.ReadBoth(t.Context(), "diff", earlier, []string{later}, fleet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(both.Before.Hosts) != 2 || len(both.Fleet.Hosts) != 1 {
		t.Errorf("got %d hosts before and %d now, want 2 and 1", len(both.Before.Hosts), len(both.Fleet.Hosts))
	}
}
