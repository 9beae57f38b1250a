package split

import (
	"fmt"
	"strings"
	"testing"
)

const (
	recordUname   = "Linux web1 6.1.0-13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.55-1 (2023-09-29) x86_64 GNU/Linux\n"
	recordEthtool = "Settings for eth0:\n\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tLink detected: yes\n"
	recordOther   = "vendor: 12\nmodel: 13\n"
)

func yamlBlock(text, indent string) string {
	return indent + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent) + "\n"
}

// Outputs in records of all forms come out with their commands and hosts, and are those that were printed.
func TestFormsOfRecords(t *testing.T) {
	quoted := func(s string) string {
		return `"` + strings.ReplaceAll(strings.ReplaceAll(s, "\n", `\n`), "\t", `\t`) + `"`
	}
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(recordEthtool)
	byCommand := fmt.Sprintf(`{"uname -a": %s, "ethtool eth0": %s, "lshw -short": %s}`, quoted(recordUname), quoted(recordEthtool), quoted(recordOther))
	const three, two = "web1 ethtool eth0, web1 lshw -short, web1 uname -a", "web1 uname -a, web1 ethtool eth0"
	for name, c := range map[string]struct{ text, want string }{
		"JSON by command":          {byCommand, strings.ReplaceAll(three, "web1", "")},
		"JSON by host and command": {`{"web1": ` + byCommand + `}`, three},
		"JSON by steps":            {`{"step1": ` + byCommand + `}`, strings.ReplaceAll(three, "web1", "")},
		"JSON by host":             {`{"web1": ` + quoted(recordEthtool) + `}`, "web1 "},
		"lines of a variable":      {"ok: [web1] => {\"out.stdout_lines\": [\"vendor: 12\"]}\n", "web1 "},
		"a YAML list": {"host: web1\ncommands:\n- command: uname -a\n  output: |\n" + yamlBlock(recordUname, "    ") +
			"- command: ethtool eth0\n  output: |-\n" + yamlBlock(recordEthtool, "    "), two},
		"YAML by host and command": {"web1:\n  \"ethtool eth0\": |\n" + yamlBlock(recordEthtool, "    "), "web1 ethtool eth0"},
		"XML with attributes": {"<?xml version=\"1.0\"?>\n<report><host name=\"web1\"><command line=\"uname -a\">" + recordUname +
			"</command><command line=\"ethtool eth0\">" + escaped + "</command></host></report>", two},
		"XML with elements": {"<all><server>web1</server><item><cmd>uname -a</cmd><stdout><![CDATA[" + recordUname +
			"]]></stdout></item><item><cmd>ethtool eth0</cmd><stdout>" + escaped + "</stdout></item></all>", two},
		"columns of hosts": {"Command\tweb1\tdb\nuname -a\t\"" + recordUname + "\"\t\nethtool eth0\t\t\"" + recordEthtool + "\"\n", "web1 uname -a, db ethtool eth0"},
		"CSV":              {"Host,Command,Output\nweb1,uname -a,\"" + recordUname + "\"\nweb1,ethtool eth0,\"" + recordEthtool + "\"\n", two},
		"CSV with a column a command": {"Hostname,uname -a,ethtool eth0\nweb1,\"" + recordUname + "\",\"" + recordEthtool + "\"\n",
			"web1 ethtool eth0, web1 uname -a"},
		"CSV with semicolons": {"Server;Befehl;Ausgabe\nweb1;uname -a;\"" + recordUname + "\"\nweb1;ethtool eth0;\"" + recordEthtool + "\"\n", two},
	} {
		cut := Text(t.Context(), []byte(c.text), "x")
		var got []string
		for _, p := range cut.Pieces {
			got = append(got, p.Host+" "+p.Command)
			if want := lineWith(c.text, string(p.Text)); p.Line != want {
				t.Errorf("%s: %s begins in line %d, want %d", name, p.Command, p.Line, want)
			}
			switch text := string(p.Text); {
			case text != recordUname && text != recordEthtool && text != recordOther && text != "vendor: 12\n":
				t.Errorf("%s: %s is %q, not as it was printed", name, p.Command, text)
			}
		}
		list := strings.Join(got, ", ")
		if cut.Form != Records || list != c.want {
			t.Errorf("%s: got %s of %q, want %q", name, cut.Form, list, c.want)
		}
	}
}

// Records without an output, and other texts in such a form, are left as they are.
func TestNoRecords(t *testing.T) {
	for _, text := range []string{
		"a,b\n1,2\n", "output,host\n", "<a><b>1</b></a>", "<a><b>", "<html><body>output</body></html>", "name: store\nsummary: |\n  connects a host\n  to its store\n",
		`{"title": "Linux web1 6.1.0", "system_info": "Linux web1 6.1.0-13-amd64 #1 SMP x86_64 GNU/Linux"}`, "a: |\n\tb\n", recordEthtool,
		`{"notes": "first line\nsecond line"}`, strings.Repeat("<a>", 100_000), "a: &x |\n  b\nc: [*x, *y]\n",
	} {
		if c := Text(t.Context(), []byte(text), "x"); c.Form == Records {
			t.Errorf("%.60q: got records %+v, want none", text, c.Pieces)
		}
	}
}

// lineWith is the line of a text that has the first line of an output.
func lineWith(text, output string) int {
	first, _, _ := strings.Cut(output, "\n")
	before, _, _ := strings.Cut(text, first)
	return 1 + strings.Count(before, "\n")
}
