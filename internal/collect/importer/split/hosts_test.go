package split

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/importertest"
)

// fleet returns what two hosts print of the same commands.
func fleet() map[string][]importertest.Output {
	return map[string][]importertest.Output{"lpar1": importertest.LPAR("lpar1", "10.1.1.11"), "lpar2": importertest.LPAR("lpar2", "10.1.1.12")}
}

// said are host, command or kind, and text of each piece.
func said(c *Cut) []string {
	var list []string
	for _, p := range c.Pieces {
		id := detect.ParseCommand(p.Command).ID
		if f, ok := detect.Text(p.Text, detect.Hint{Command: p.Command, File: p.Title}); ok {
			id = f.ID
		}
		list = append(list, p.Host+" "+id+"\n"+strings.TrimSpace(string(p.Text)))
	}
	return list
}

func TestOneCommandOfSeveralHosts(t *testing.T) {
	hosts := fleet()
	lines := func(host, mark string, text string) string {
		return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
	}
	forms := map[string]func(host string, o importertest.Output) string{
		"dsh":    func(h string, o importertest.Output) string { return lines(h, h+": ", o.Text) },
		"dshbak": func(h string, o importertest.Output) string { return "HOST: " + h + "\n-----------\n" + o.Text + "\n" },
		"clush -b": func(h string, o importertest.Output) string {
			return "---------------\n" + h + "\n---------------\n" + o.Text
		},
		"clcmd": func(h string, o importertest.Output) string {
			return "\n-------------------------------\nNODE " + h + "\n-------------------------------\n" + o.Text
		},
		"ansible":      func(h string, o importertest.Output) string { return h + " | CHANGED | rc=0 >>\n" + o.Text + "\n" },
		"ansible JSON": func(h string, o importertest.Output) string { return h + " | CHANGED => " + record(o, "") + "\n" },
		"debug":        func(h string, o importertest.Output) string { return "ok: [" + h + "] => " + record(o, "msg") + "\n" },
		"a loop":       func(h string, o importertest.Output) string { return "=== " + h + " ===\n" + o.Text },
	}
	for _, name := range draw.OneIn(t, 3, slices.Sorted(maps.Keys(forms))) {
		form := forms[name]
		for i, o := range hosts["lpar1"] {
			text, want := "", []string(nil)
			for _, h := range []string{"lpar1", "lpar2"} {
				out := hosts[h][i]
				text += form(h, out)
				f, ok := detect.Text([]byte(out.Text), detect.Hint{})
				if !ok {
					t.Fatalf("%s: not recognised alone", o.Command)
				}
				want = append(want, h+" "+f.ID+"\n"+strings.TrimSpace(out.Text))
			}
			if strings.Contains(name, "JSON") {
				continue
			}
			if diff := cmp.Diff(want, said(Text(t.Context(), []byte(text), ""))); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", name, o.Command, diff)
			}
		}
	}
}

// record is an output as ansible's JSON has it.
func record(o importertest.Output, as string) string {
	v := map[string]any{"changed": true, "rc": 0}
	text := strings.TrimSuffix(o.Text, "\n")
	if as == "msg" {
		v["msg"] = strings.Split(text, "\n")
	} else {
		v["cmd"], v["stdout"], v["stdout_lines"] = strings.Fields(o.Command), text, strings.Split(text, "\n")
	}
	b, err := json.MarshalIndent(v, "", "    ")
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestRecords(t *testing.T) {
	outputs := importertest.LPAR("lpar1", "10.1.1.11")
	var want []string
	adhoc, tasks := "", []string{}
	for _, o := range outputs {
		want = append(want, "lpar1 "+o.Command)
		adhoc += "lpar1 | CHANGED => " + record(o, "") + "\n"
		tasks = append(tasks, `{"task": {"name": "x"}, "hosts": {"lpar1": `+record(o, "")+`}}`)
	}
	for name, text := range map[string]string{
		"ad hoc":       adhoc,
		"callback":     `{"plays": [{"tasks": [` + strings.Join(tasks, ",\n") + `]}], "stats": {}}`,
		"cut off":      adhoc + "lpar1 | CHANGED => {\n    \"stdout\": \"AIX",
		"one a record": strings.ReplaceAll(strings.Join(tasks, "\n"), `"task"`, `"_"`),
	} {
		c := Text(t.Context(), []byte(text), "")
		var got []string
		for _, p := range c.Pieces {
			got = append(got, p.Host+" "+p.Command)
		}
		if diff := cmp.Diff(want, got); diff != "" || c.Form != Records {
			t.Errorf("%s: got %s, (-want +got):\n%s", name, c.Form, diff)
		}
	}
}

// A session on an administration host that asks others.
func TestSessionOfSeveralHosts(t *testing.T) {
	hosts := fleet()
	text := ""
	var want []string
	for i, o := range hosts["lpar1"] {
		text += fmt.Sprintf("root@nim:/ # dsh -n lpar1,lpar2 %q\n", o.Command)
		for _, h := range []string{"lpar1", "lpar2"} {
			for l := range strings.Lines(hosts[h][i].Text) {
				text += h + ": " + l
			}
			want = append(want, h+" "+o.Command)
		}
	}
	var got []string
	for _, p := range Text(t.Context(), []byte(text), "").Pieces {
		call := detect.ParseCommand(p.Command)
		call.Elsewhere = false
		for _, o := range hosts["lpar1"] {
			if detect.ParseCommand(o.Command) == call {
				got = append(got, p.Host+" "+o.Command)
				break
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A table whose lines are all as wide is not one that a terminal wrapped: the heading of the next host stays one.
func TestHostsWithLinesOfOneWidth(t *testing.T) {
	const table = "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n" +
		"en0   1500  link#2      32.43.1.9.0.7     123456     0    65432     0     0\n" +
		"en0   1500  10.1.1      10.1.1.12         123456     0    65432     0     0\n"
	for name, heading := range map[string]string{"prefixed": "", "ansible": "%s | CHANGED | rc=0 >>\n", "a loop": "===== %s =====\n"} {
		var text strings.Builder
		var want, got []string
		for i := range 20 {
			host := fmt.Sprintf("aix%03d", i)
			want = append(want, host+" netstat-in\n"+strings.TrimSpace(table))
			if heading == "" {
				text.WriteString(host + ": " + strings.ReplaceAll(strings.TrimSpace(table), "\n", "\n"+host+": ") + "\n")
				continue
			}
			fmt.Fprintf(&text, heading, host)
			text.WriteString(table)
		}
		got = said(Text(t.Context(), []byte(text.String()), "x.txt"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// More hosts than are taken apart are said, by names before lines and by headings.
func TestCrowded(t *testing.T) {
	for name, form := range map[string]string{"before the lines": "aix%d: up\n", "headings": "aix%d | CHANGED | rc=0 >>\nup\n"} {
		var text strings.Builder
		for i := range MostHosts {
			fmt.Fprintf(&text, form, i)
		}
		if Crowded([]byte(text.String())) {
			t.Errorf("%s: %d hosts are too many", name, MostHosts)
		}
		fmt.Fprintf(&text, form, MostHosts)
		if !Crowded([]byte(text.String())) {
			t.Errorf("%s: one host more than %d is not too many", name, MostHosts)
		}
	}
}

// Lines that begin with words and colons are no answers of several hosts.
func TestNoHosts(t *testing.T) {
	for name, text := range map[string]string{
		"counters":  "Packets: 12\nBytes: 13\nErrors: 0\n",
		"lparstat":  "Node Name                                  : lpar1\nPartition Name                             : lpar1\nEntitled Capacity : 2.00\nOnline Virtual CPUs : 4\n",
		"ifconfig":  "en0: flags=1e080863,480<UP,BROADCAST>\n\tinet 10.1.1.1 netmask 0xffffff00\n",
		"devices":   "== ent0 ==\nmtu 1500 Maximum True\n== ent1 ==\nmtu 1500 Maximum True\n",
		"netstat":   "ip:\n\t12 total packets received\ntcp:\n\t1 packet sent\n",
		"protocols": "ip:\nicmp:\ntcp:\n",
	} {
		c := Text(t.Context(), []byte(text), "")
		for _, p := range c.Pieces {
			if p.Host != "" {
				t.Errorf("%s: got a piece of host %q, want none", name, p.Host)
			}
		}
	}
	// The first heading of netstat -s is not a command.
	if c := Text(t.Context(), []byte("ip:\n\t12 total packets received\ntcp:\n\t1 packet sent\n"), "x"); c.Form != Whole {
		t.Errorf("netstat -s: got %s, want %s", c.Form, Whole)
	}
}

// A loop over hosts and commands, and hosts one after the other without a word.
func TestHostsWithManyOutputs(t *testing.T) {
	hosts := fleet()
	hosts["vios1"] = hosts["lpar2"]
	loop, bare := "", ""
	var want []string
	for _, h := range []string{"lpar1", "vios1"} {
		loop += "##### " + h + " #####\n"
		for _, o := range hosts[h] {
			loop += "--- " + o.Command + "\n" + o.Text
			bare += o.Text
			want = append(want, h+" "+o.Command)
		}
	}
	var got []string
	for _, p := range Text(t.Context(), []byte(loop), "").Pieces {
		got = append(got, p.Host+" "+p.Command)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a loop (-want +got):\n%s", diff)
	}
	nodes := 0
	for _, p := range Text(t.Context(), []byte(bare), "").Pieces {
		if f, ok := detect.Text(p.Text, detect.Hint{}); ok && f.ID == "uname-a" {
			nodes++
		}
	}
	if nodes != 2 {
		t.Errorf("one after the other: got %d outputs of uname, want one a host", nodes)
	}
}

// What an SEA prints between rulers is not a heading, however the headings look.
func TestRuledLinesOfAnSEA(t *testing.T) {
	sea := "-------------\nETHERNET STATISTICS (ent5) :\nDevice Type: Shared Ethernet Adapter\n\n" +
		"-------------\nStatistics for adapters in the Shared Ethernet Adapter ent5\n-------------\nNumber of adapters: 1\n" +
		"-------------\nReal Adapter: ent0\n-------------\nETHERNET STATISTICS (ent0) :\nDevice Type: X\n"
	for name, heading := range map[string]string{"framed": "-------------\n%s\n-------------\n", "marked": "--- %s\n"} {
		text := fmt.Sprintf(heading, "netstat -in") + "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n" +
			fmt.Sprintf(heading, "entstat -all ent5") + sea + fmt.Sprintf(heading, "oslevel -s") + "7200-05-06-2320\n"
		if diff := cmp.Diff([]string{"netstat -in", "entstat -all ent5", "oslevel -s"}, commands(Text(t.Context(), []byte(text), ""))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A shell that does not find a program is no host.
func TestShellIsNoHost(t *testing.T) {
	for _, p := range Text(t.Context(), []byte("sh: lsmcode: not found\nsh: emgr: not found\n"), "lsmcode.err").Pieces {
		if p.Host != "" {
			t.Errorf("host %q of %q", p.Host, p.Text)
		}
	}
}
