package watchdog_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/inventory/model"
)

// function is one of the script's parts.
type function struct {
	name, contract string
	body           []string
}

// functions reads a part of the script.
func functions(t *testing.T, path string) []function {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []function
	var comment []string
	in := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		name, begins := strings.CutSuffix(line, "() {")
		switch {
		case begins && !in:
			all = append(all, function{name: name, contract: strings.Join(comment, "\n")})
			in = true
		case line == "}":
			in = false
		case in:
			f := &all[len(all)-1]
			f.body = append(f.body, line)
		case strings.HasPrefix(line, "#"):
			comment = append(comment, line)
			continue
		}
		comment = nil
	}
	return all
}

var (
	assigned = regexp.MustCompile(`(?:^|[\t ;{(])([a-z][a-z_]*)=`)
	readInto = regexp.MustCompile(`read -r ([a-z_ ]+[a-z_])`)
	looped   = regexp.MustCompile(`\bfor ([a-z_]+) in`)
)

// assigns are the variables that a line sets.
func assigns(line string) []string {
	line = strings.Split(line, "# ")[0]
	for _, quoted := range []string{"awk ", "printf ", "mkitab ", "print_guard ", "ps "} {
		line, _, _ = strings.Cut(line, quoted)
	}
	var names []string
	for _, m := range assigned.FindAllStringSubmatch(line, -1) {
		names = append(names, m[1])
	}
	for _, m := range readInto.FindAllStringSubmatch(line, -1) {
		names = append(names, strings.Fields(m[1])...)
	}
	for _, m := range looped.FindAllStringSubmatch(line, -1) {
		names = append(names, m[1])
	}
	return names
}

// ksh88 has no local variables: each belongs to one function, or the contract of every
// function that sets it names it. Every function has a contract that begins with its name.
func TestFunctionsOwnTheirVariables(t *testing.T) {
	parts, err := filepath.Glob("script/*.sh")
	if err != nil || len(parts) == 0 {
		t.Fatalf("parts of the script: got %v, %v", parts, err)
	}
	for _, platform := range []string{"aix", "linux"} {
		setBy := map[string][]function{}
		for _, part := range parts {
			if base := filepath.Base(part); base != platform+".sh" && (base == "aix.sh" || base == "linux.sh") {
				continue
			}
			for _, f := range functions(t, part) {
				if !strings.HasPrefix(f.contract, "# "+f.name) {
					t.Errorf("%s: %s has no contract that begins with its name", part, f.name)
				}
				for _, line := range f.body {
					for _, name := range assigns(line) {
						if !slices.ContainsFunc(setBy[name], func(o function) bool { return o.name == f.name }) {
							setBy[name] = append(setBy[name], f)
						}
					}
				}
			}
		}
		if len(setBy) < 40 {
			t.Errorf("found %d variables only: is the script written otherwise now?", len(setBy))
		}
		for name, by := range setBy {
			if len(by) == 1 {
				continue
			}
			for _, f := range by {
				if !strings.Contains(f.contract, name) && !strings.HasPrefix(name, strings.Split(f.name, "_")[0]) {
					t.Errorf("%s sets %s, as another function does, and its contract does not say so", f.name, name)
				}
			}
		}
	}
}

// A host gets what its platform needs, and no more.
func TestScriptIsForOnePlatform(t *testing.T) {
	m, _ := newMachine(t, shells(t)[0])
	for platform, others := range map[model.Platform][]string{
		model.AIX:   {"systemctl", "/proc/", "boot_id"},
		model.VIOS:  {"systemctl", "/proc/", "boot_id"},
		model.Linux: {"mkitab", "lsitab"},
	} {
		j := m.job("r-1", time.Minute)
		j.Tasks[0].Login.Platform = platform
		script, err := j.Script(m.base, m.base+"-boot")
		if err != nil {
			t.Fatal(err)
		}
		var code strings.Builder
		for line := range strings.Lines(script) {
			if !strings.HasPrefix(line, "#") {
				code.WriteString(line)
			}
		}
		for _, other := range others {
			if strings.Contains(code.String(), other) {
				t.Errorf("%s: the script has %s, of another platform", platform, other)
			}
		}
	}
}

// What docs/watchdog.md names is in the script.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/watchdog.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	err = fs.WalkDir(os.DirFS("script"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		part, err := os.ReadFile(filepath.Join("script", path))
		script.Write(part)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z]+_[a-z_]+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 15 {
		t.Errorf("docs/watchdog.md names %d functions, want those to begin with", len(named))
	}
	for _, n := range named {
		if !strings.Contains(script.String(), "\n"+n[1]+"() {") && !strings.HasPrefix(n[1], "seaworthy") {
			t.Errorf("docs/watchdog.md names %s, which the script has not", n[1])
		}
	}
	for _, s := range []string{"armed", "reverting.PID", "confirmed", "failed", "reverted"} {
		if !strings.Contains(string(text), "| `"+s+"` |") || !strings.Contains(script.String(), "#   "+s) {
			t.Errorf("state %s: not in both tables", s)
		}
	}
}
