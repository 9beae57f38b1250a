package ticket_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/inventory/model"
)

// A script that runs in a folder of everybody's does nothing that another user's file says.
func TestScriptsInASharedFolder(t *testing.T) {
	p := tunables(t, "linux1")
	scripts, err := ticket.Scripts(p, "linux1")
	if err != nil {
		t.Fatal(err)
	}
	note := "begun-" + string(p.ID)
	evil := func(t *testing.T, dir string) {
		t.Helper()
		mark := "#!/bin/sh\n: >\"$DB/RAN\"\n"
		for _, name := range []string{"evil", "undo_", "undo_1x"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(mark), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(filepath.Join(dir, "undo_")); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "undo_"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	foreign := func(text string) func(t *testing.T, note string) {
		return func(t *testing.T, note string) {
			if os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			if err := os.WriteFile(note, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(note, 65534, 65534); err != nil {
				t.Fatal(err)
			}
		}
	}
	target := func(note string) string { return filepath.Join(filepath.Dir(note), "target") }
	for name, put := range map[string]func(t *testing.T, note string){
		"another user's path": foreign("/../evil\n"),
		"another user's step": foreign("1\n"),
		"a link": func(t *testing.T, note string) {
			if err := os.Symlink(target(note), note); err != nil {
				t.Fatal(err)
			}
		},
		"a dangling link": func(t *testing.T, note string) {
			if err := os.Symlink(target(note)+"2", note); err != nil {
				t.Fatal(err)
			}
		},
		"a second name": func(t *testing.T, note string) {
			if err := os.Link(target(note), note); err != nil {
				t.Fatal(err)
			}
		},
		"a folder": func(t *testing.T, note string) {
			if err := os.Mkdir(note, 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"a pipe": func(t *testing.T, note string) {
			if err := syscall.Mkfifo(note, 0o666); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, shell := range shells(t) {
			t.Run(name+" "+filepath.Base(shell[0]), func(t *testing.T) {
				b := newBench(t, shell)
				b.put(map[string]string{"sysctl.net.core.rmem_max": "212992"})
				root, dir := t.TempDir(), t.TempDir()
				if err := os.MkdirAll(filepath.Join(root, "etc/sysctl.d"), 0o755); err != nil {
					t.Fatal(err)
				}
				for name, text := range scripts {
					moved := absolute.ReplaceAllString(text, "${1}"+root+"${2}")
					if err := os.WriteFile(filepath.Join(dir, name), []byte(moved), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(filepath.Join(dir, "target"), []byte("target\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				evil(t, dir)
				put(t, filepath.Join(dir, note))
				for _, script := range []string{"implement.sh", "backout.sh"} {
					if out, err := b.run(filepath.Join(dir, script)); err == nil || !strings.Contains(out, "not a plain file of yours") {
						t.Errorf("%s: got %v, %s; want the note refused", script, err, out)
					}
				}
				if got := b.get(map[string]string{"sysctl.net.core.rmem_max": ""})["sysctl.net.core.rmem_max"]; got != "212992" {
					t.Errorf("got value %s, want nothing done", got)
				}
				if text, err := os.ReadFile(filepath.Join(dir, "target")); err != nil || string(text) != "target\n" {
					t.Errorf("another file of root's is %q, %v", text, err)
				}
				// Anyone who names the steps needs no note.
				if out, err := b.run(filepath.Join(dir, "backout.sh"), "1"); err != nil {
					t.Errorf("backout.sh 1: %v, %s", err, out)
				}
			})
		}
	}
	// In a note of one's own, too, only steps of this host count.
	for _, text := range []string{"/../evil\n", "2\n", "1x\n", "\n", "1;reboot\n", "*\n", "$(reboot)\n"} {
		b := newBench(t, shells(t)[0])
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "backout.sh"), []byte(scripts["backout.sh"]), 0o700); err != nil {
			t.Fatal(err)
		}
		evil(t, dir)
		if err := os.WriteFile(filepath.Join(dir, note), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := b.run(filepath.Join(dir, "backout.sh")); err == nil || !strings.Contains(out, "not a step of this host") {
			t.Errorf("note %q: got %v, %s; want it refused", text, err, out)
		}
	}
}

// known is a plan for a host that showed the address of an adapter.
func known(t *testing.T, platform model.Platform) *plan.Plan {
	t.Helper()
	p := tunables(t, "linux1")
	p.KnownBy = []plan.Identity{{Host: "linux1", Element: "e0", MAC: "32:43:01:09:00:07"}}
	p.Steps[0].Platform = platform
	return p
}

// A script refuses another host than the plan's before anything else.
func TestScriptsKnowTheirHost(t *testing.T) {
	for name, c := range map[string]struct {
		platform model.Platform
		entstat  string
		address  string
		meant    bool
	}{
		"linux":         {model.Linux, "", "32:43:01:09:00:07\n", true},
		"another linux": {model.Linux, "", "32:43:01:09:00:08\n", false},
		"no adapter":    {model.Linux, "", "", false},
		"aix":           {model.AIX, "ETHERNET STATISTICS (e0) :\nHardware Address: 32:43:01:09:00:07\n", "", true},
		"another aix":   {model.AIX, "Hardware Address: 32:43:01:09:00:08\n", "", false},
		"vios, lscfg":   {model.VIOS, "        Network Address.............324301090007\n", "", true},
		"unconfigured":  {model.AIX, "entstat: 0909-003 Unable to connect to device\n", "", false},
	} {
		p := known(t, c.platform)
		scripts, err := ticket.Scripts(p, "linux1")
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, shells(t)[0])
		root := t.TempDir()
		for _, dir := range []string{"sys/class/net/e0", "etc/sysctl.d"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if c.address != "" {
			if err := os.WriteFile(filepath.Join(root, "sys/class/net/e0/address"), []byte(c.address), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b.put(map[string]string{"sysctl.net.core.rmem_max": "212992", "said": c.entstat})
		for tool, text := range map[string]string{"entstat": `cat "$DB/said"`, "lscfg": "exit 1"} {
			if err := os.WriteFile(filepath.Join(b.tools, tool), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		dir := t.TempDir()
		for script, text := range scripts {
			at := filepath.Join(dir, script)
			if err := os.WriteFile(at, []byte(absolute.ReplaceAllString(text, "${1}"+root+"${2}")), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		for _, script := range []string{"verify.sh", "implement.sh", "backout.sh"} {
			out, _ := b.run(filepath.Join(dir, script))
			if refused := strings.Contains(out, "this is not the host linux1 of the plan"); refused == c.meant {
				t.Errorf("%s: %s: got %s, want it refused: %v", name, script, out, !c.meant)
			}
			got := b.get(map[string]string{"sysctl.net.core.rmem_max": ""})["sysctl.net.core.rmem_max"]
			if !c.meant && got != "212992" {
				t.Errorf("%s: %s changed the value to %s", name, script, got)
			}
		}
	}
}

// A playbook asks first, in each play, whether the host is the plan's.
func TestPlaybookKnowsItsHost(t *testing.T) {
	text, err := ticket.Playbook(known(t, model.Linux))
	if err != nil {
		t.Fatal(err)
	}
	var plays []struct {
		Name  string
		Tags  []string
		Tasks []struct {
			Name string
			Raw  string `yaml:"ansible.builtin.raw"`
			Tags []string
		}
	}
	plain := regexp.MustCompile(`!unsafe `).ReplaceAll(text, nil)
	if err := yaml.Unmarshal(plain, &plays); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(plays) != 2 {
		t.Fatalf("got %d plays, want forward and back", len(plays))
	}
	for _, p := range plays {
		first := p.Tasks[0]
		backward := slices.Contains(p.Tags, "backout")
		if !strings.Contains(first.Raw, "if host_is_meant") || slices.Contains(first.Tags, "verify") == backward {
			t.Errorf("%s: first task %+v, want that it asks for the host, and with --tags verify in the forward play alone", p.Name, first)
		}
	}
	if !strings.Contains(string(text), "/sys/class/net/e0/address") || !strings.Contains(string(text), "324301090007") {
		t.Errorf("got\n%s\nwant the adapter's address asked for", text)
	}
}

// A name that means the machine of anyone who uses it is not a host's.
func TestNoPlanForThisMachine(t *testing.T) {
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "local", "127.1", "localhost.localdomain"} {
		p := tunables(t, "linux1")
		p.Hosts[0], p.Steps[0].Host = name, name
		if _, err := ticket.Scripts(p, name); err == nil || !strings.Contains(err.Error(), "a name of its own") {
			t.Errorf("scripts for %s: got %v, want it refused", name, err)
		}
		if _, err := ticket.Playbook(p); err == nil || !strings.Contains(err.Error(), "a name of its own") {
			t.Errorf("playbook for %s: got %v, want it refused", name, err)
		}
	}
	if path, err := exec.LookPath("shellcheck"); err == nil {
		dir := t.TempDir()
		scripts, err := ticket.Scripts(known(t, model.AIX), "linux1")
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range scripts {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(path, "-s", "sh", "-S", "style", filepath.Join(dir, name)).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
}

// Where no address is known the node name decides; where one is, another node name is only
// said.
func TestScriptsKnowTheNodeName(t *testing.T) {
	for name, c := range map[string]struct {
		mac, node string
		want      string
		refused   bool
	}{
		"the same name":             {"", "node7", "", false},
		"another name":              {"", "node8", "this is not the host linux1 of the plan: it has another node name", true},
		"another name, its adapter": {"32:43:01:09:00:07", "node8", "note: this host is called node7 now", false},
		"the same, its adapter":     {"32:43:01:09:00:07", "node7", "", false},
	} {
		p := known(t, model.AIX)
		p.KnownBy = []plan.Identity{{Host: "linux1", MAC: c.mac, Node: c.node}}
		if c.mac != "" {
			p.KnownBy[0].Element = "e0"
		}
		scripts, err := ticket.Scripts(p, "linux1")
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, shells(t)[0])
		for tool, text := range map[string]string{"entstat": "echo 32:43:01:09:00:07", "lscfg": "exit 1", "hostname": "echo node7"} {
			err := os.WriteFile(filepath.Join(b.tools, tool), []byte("#!/bin/sh\n"+text+"\n"), 0o700)
			if err != nil {
				t.Fatal(err)
			}
		}
		at := filepath.Join(t.TempDir(), "verify.sh")
		err = os.WriteFile(at, []byte(scripts["verify.sh"]), 0o700)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := b.run(at)
		if !strings.Contains(out, c.want) || strings.Contains(out, "this is not the host") != c.refused ||
			c.want == "" && strings.Contains(out, "node name") {
			t.Errorf("%s: got %s, want %q", name, out, c.want)
		}
	}
}
