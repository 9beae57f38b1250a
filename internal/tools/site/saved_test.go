package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	snapshot "seaworthy/internal/collect"
)

// hostsFile is hosts.yaml of the documentation.
const hostsFile = `hosts:
  lpar1: {}
  lpar2: {}
  lpar3: {}
  vios1: {}
  vios2: {}
groups:
  north: [lpar1, vios1]
`

// zoneFile is the hosts file of a zone, with what the documentation selects hosts by.
const zoneFile = `hosts:
  lpar1: {platform: aix}
  vios1: {platform: vios}
  db1: {address: lpar3, labels: {env: prod}}
`

// long are folders of other times, with their age.
var long = map[string]time.Duration{"yesterday": 24 * time.Hour, "monday": 48 * time.Hour, "tuesday": 24 * time.Hour, "earlier": 200 * 24 * time.Hour,
	"copy": -time.Hour}

// saved makes what pages take for granted: hosts that were collected on several days, results, what others sent.
func saved(t *testing.T, bin string) string {
	t.Helper()
	r := newReader(t, bin)
	r.file("hosts.yaml", hostsFile)
	r.file("zone.yaml", zoneFile)
	r.file("receiver", "cat\n")
	r.file("ansible-hosts", "[north]\nlpar1\nvios1\n")
	r.file("waivers.yaml", "waivers:\n  - {rule: R001, at: \"lpar3:*\", reason: a test system, until: 2099-12-31}\n")
	r.file("backup.txt", "lpar1 lpar2\nlpar3 lpar2\n")
	for _, line := range []string{
		"seaworthy collect -i hosts.yaml -o today",
		"cp -r today snapshots",
		"mkdir results && seaworthy bench run -i hosts.yaml --from lpar1 --to lpar2 --streams 1,8 -o results/first.json",
		"cp results/first.json bench.json; cp results/first.json now.json; cp results/first.json first.json",
		"seaworthy plan today --only R001/lpar1:en0,R001/lpar2:en0 -o plan.json || test $? = 2",
		"seaworthy collect server1 -o web1 && mkdir saved && cp -r today/vios1 saved/",
		"tar --format=pax -C today -czf snap.pax.gz lpar1",
		"tar -C web1 -cJf sosreport-web1.tar.xz server1 && cp sosreport-web1.tar.xz scc_web1.txz",
		"seaworthy site init today -o site.yaml",
		"for h in lpar1 lpar2; do ssh $h 'uname -a; netstat -in' | sed s/^/$h:\\ /; done > dsh.out",
		"ssh hmc1 'lssyscfg -r sys -F name,type_model,serial_num' > hmc.raw && { echo 'hscroot@hmc1:~> lssyscfg -r sys -F name,type_model,serial_num'; cat hmc.raw; } > hmc.log",
		"{ echo '# netstat -in'; ssh lpar2 'netstat -in'; } > lpar2.log",
	} {
		out, errs, exit := r.run(line)
		if exit != 0 && exit != 3 {
			t.Fatalf("%s: exit status %d\n%s%s", line, exit, out, errs)
		}
	}
	r.reordered()
	r.records()
	for name, age := range long {
		err := os.CopyFS(filepath.Join(r.dir, name), os.DirFS(filepath.Join(r.dir, "today")))
		if err == nil {
			err = earlier(filepath.Join(r.dir, name), age)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r.leave()
	return r.dir
}

// file writes a file of the working folder.
func (r *reader) file(name, text string) {
	r.t.Helper()
	err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
}

// reordered writes the plan with its first two steps in the other order, as a person edits it.
func (r *reader) reordered() {
	r.t.Helper()
	plan := map[string]any{}
	text, err := os.ReadFile(filepath.Join(r.dir, "plan.json"))
	if err == nil {
		err = json.Unmarshal(text, &plan)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	steps, _ := plan["steps"].([]any) // too few: it says so below
	if len(steps) < 2 {
		r.t.Fatalf("the plan has %d steps, want two to exchange", len(steps))
	}
	steps[0], steps[1] = steps[1], steps[0]
	text, err = json.Marshal(plan)
	if err != nil {
		r.t.Fatal(err)
	}
	r.file("reordered.json", string(text))
}

// records writes what Ansible's callback plugin json says of a command on two hosts.
func (r *reader) records() {
	r.t.Helper()
	type record struct {
		Command []string `json:"cmd"`
		Output  string   `json:"stdout"`
	}
	hosts := map[string]record{}
	for _, name := range []string{"lpar1", "lpar2"} {
		out, _, _ := r.run("ssh " + name + " netstat -in")
		hosts[name] = record{[]string{"netstat", "-in"}, out}
	}
	text, err := json.Marshal(map[string]any{"plays": []any{map[string]any{"tasks": []any{map[string]any{"hosts": hosts}}}}, "stats": map[string]any{}})
	if err != nil {
		r.t.Fatal(err)
	}
	r.file("ansible.json", string(text))
}

// earlier makes snapshots older.
func earlier(dir string, by time.Duration) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	for _, file := range files {
		var m snapshot.Manifest
		text, failed := os.ReadFile(file)
		err = errors.Join(err, failed, json.Unmarshal(text, &m))
		m.Started, m.Finished = m.Started.Add(-by), m.Finished.Add(-by)
		text, failed = json.Marshal(m)
		err = errors.Join(err, failed, os.WriteFile(file, text, 0o600))
	}
	return err
}

// copies puts a file or folder back as it was saved.
func (r *reader) copies(name string) {
	r.t.Helper()
	err := os.RemoveAll(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	out, err := exec.Command("cp", "-r", filepath.Join(r.from, name), r.dir).CombinedOutput()
	if err != nil {
		r.t.Fatalf("cp: %v\n%s", err, out)
	}
}

// furnish gives a reader's folder what was saved, and a key that signs.
func (r *reader) furnish(from string) {
	r.t.Helper()
	r.from = from
	err := os.CopyFS(r.dir, os.DirFS(from))
	if err != nil {
		r.t.Fatal(err)
	}
	err = os.CopyFS(filepath.Join(r.home, "outputs"), os.DirFS(filepath.Join(from, "saved")))
	if err != nil {
		r.t.Fatal(err)
	}
	out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(r.home, ".ssh/id_ed25519")).CombinedOutput()
	if err != nil {
		r.t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	public, err := os.ReadFile(filepath.Join(r.home, ".ssh/id_ed25519.pub"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.file("approvers", "board@site "+strings.TrimSpace(string(public))+"\n")
}
