package netmanager

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// A row says all that the program needs of a manager.
func TestTable(t *testing.T) {
	var names []string
	fallbacks, sysctls := 0, 0
	for _, m := range All() {
		names = append(names, m.Name)
		if m.Fallback {
			fallbacks++
		}
		if m.Sysctls {
			sysctls++
		}
		switch {
		case len(m.Evidence) == 0 && !m.Fallback && !m.Sysctls:
			t.Errorf("%s: nothing shows that a device is its own", m.Name)
		case (m.Path == "") == (m.Commands == nil):
			t.Errorf("%s: got path %q and commands %v, want one of them", m.Name, m.Path, m.Commands)
		case m.Commands == nil && m.Text == "":
			t.Errorf("%s: its file has no text", m.Name)
		case m.Kept == "" && m.Label == "":
			t.Errorf("%s: nothing says where it keeps a value", m.Name)
		case m.Commands == nil && m.Format != "sysctl" && !strings.Contains(m.Text, "# seaworthy {d} {a} {v}\n"):
			t.Errorf("%s: no mark in the text, by which the value is read again", m.Name)
		case m.Format == "marked" && strings.Count(m.Text, "\n") != 2:
			t.Errorf("%s: a text of the form marked has two lines", m.Name)
		case m.AnyAttribute != strings.Contains(m.Text, "{s}"):
			t.Errorf("%s: any_attribute is %v, and the text\n%s", m.Name, m.AnyAttribute, m.Text)
		}
		if _, err := regexp.Compile(m.NameForm); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		for attr, p := range m.Properties {
			if !slices.Contains(Attributes(), attr) || p.Name == "" || !p.Has("99.0") {
				t.Errorf("%s: %s: got %+v, want an attribute and a property", m.Name, attr, p)
			}
		}
	}
	if fallbacks != 1 || sysctls != 1 {
		t.Errorf("got %d managers for what others have no place for, %d of sysctls, want one each", fallbacks, sysctls)
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("got %v: a name twice", names)
	}
}

// What shows a manager is asked for.
func TestEvidenceIsAsked(t *testing.T) {
	var asked strings.Builder
	for _, a := range registry.Find("boot-files").Asks {
		asked.WriteString(a.Line)
	}
	placeholder := regexp.MustCompile(`\{[din]\}`)
	for _, m := range All() {
		var files []string
		for _, e := range m.Evidence {
			files = append(files, e.Files...)
			if e.Section != "" && regexp.MustCompile(e.Section).NumSubexp() != 1 {
				t.Errorf("%s: the section %q has no group for the device", m.Name, e.Section)
			}
			for _, pattern := range []string{e.Section, e.Unless} {
				if strings.Contains(pattern, ofDevice) {
					t.Errorf("%s: %q is the same for all devices", m.Name, pattern)
				}
			}
			pattern := regexp.MustCompile(strings.ReplaceAll(e.Line+e.Connection, ofDevice, "eth0"))
			if named := pattern.SubexpIndex("name") >= 0; named == (e.Name != "") {
				t.Errorf("%s: what it calls a device stands in %q and %q, want one of them", m.Name, pattern, e.Name)
			}
		}
		files = append(files, m.MTU.Files...)
		if m.MTU.DropIns != "" {
			files = append(files, m.MTU.DropIns)
		}
		for _, f := range files {
			folder, _, _ := strings.Cut(placeholder.ReplaceAllString(f, "*"), "*")
			if !strings.Contains(asked.String(), folder) {
				t.Errorf("%s: nothing asks for %s", m.Name, f)
			}
		}
	}
}

func TestHolds(t *testing.T) {
	e := Evidence{Line: `^config_(?P<name>{d})=`, Unless: `^off$`}
	e.compile()
	for _, c := range []struct {
		lines []string
		name  string
		ok    bool
	}{
		{[]string{"config_eth0.1=x"}, "eth0.1", true},
		{[]string{"config_eth0x1=x"}, "", false},
		{[]string{"config_eth0.1=x", "off"}, "", false},
		{nil, "", false},
	} {
		if name, ok := e.Holds(c.lines, "eth0.1"); name != c.name || ok != c.ok {
			t.Errorf("%v: got %q, %v, want %q, %v", c.lines, name, ok, c.name, c.ok)
		}
	}
}

func TestHas(t *testing.T) {
	for _, c := range []struct {
		since, version string
		want           bool
	}{{"1.14", "1.14.0", true}, {"1.14", "1.9.2", false}, {"1.14", "2.0", true}, {"1.14", "", false}, {"", "", true}} {
		if got := (Property{Since: c.since}).Has(c.version); got != c.want {
			t.Errorf("since %q, %q: got %v, want %v", c.since, c.version, got, c.want)
		}
	}
}

// A manager whose file has no sections takes any device.
func TestSectionOf(t *testing.T) {
	if got, err := (&Manager{}).SectionOf(nil); got != "" || err != nil {
		t.Errorf("got %q, %v, want none", got, err)
	}
	m := &Manager{Name: "x", Sections: &Sections{Ports: "ports"}}
	if got, err := m.SectionOf(&model.Element{Name: "eth0", Kind: model.Virtual}); got != "ports" || err != nil {
		t.Errorf("eth0: got %q, %v, want ports", got, err)
	}
	if got, err := m.SectionOf(nil); err == nil {
		t.Errorf("a device that was not read: got %q, want an error", got)
	}
}
