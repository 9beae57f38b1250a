package split

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/test/growth"
	"seaworthy/internal/test/importertest"
)

func commands(c *Cut) []string {
	var list []string
	for _, p := range c.Pieces {
		list = append(list, p.Command)
	}
	return list
}

func TestForms(t *testing.T) {
	outputs := importertest.LPAR("lpar1", "10.1.1.11")
	var want []string
	for _, o := range outputs {
		want = append(want, o.Command)
	}
	for name, c := range map[string]struct {
		text string
		form Form
		host string
	}{
		"root@host":           {importertest.Session(outputs, "root@lpar1:/ # "), Session, "lpar1"},
		"host:folder>":        {importertest.Session(outputs, "lpar1:/home/padmin> "), Session, "lpar1"},
		"[user@host ~]$":      {importertest.Session(outputs, "[padmin@vios1 ~]$ "), Session, "vios1"},
		"(0) root @ host":     {importertest.Session(outputs, "(0) root @ lpar1: / # "), Session, "lpar1"},
		"a branch":            {importertest.Session(outputs, "root@lpar1:~/tmp (main) # "), Session, "lpar1"},
		"a word of a folder":  {importertest.Session(outputs, "[root@lpar1 tmp][PROD]# "), Session, "lpar1"},
		"[user@host dir]#":    {importertest.Session(outputs, "[root@lpar1 tmp]# "), Session, "lpar1"},
		"level in prompt":     {importertest.Session(outputs, "(0) root @ lpar1: 7.2.0.0: / # "), Session, "lpar1"},
		"prompt of two lines": {importertest.Session(outputs, "(0) root @ lpar1: 7.2.0.0: /\n# "), Session, "lpar1"},
		"#":                   {importertest.Session(outputs, "# "), Session, ""},
		"coloured prompt":     {importertest.Session(outputs, "\x1b[32mroot@lpar1\x1b[0m:/ # "), Session, "lpar1"},
		"window title":        {importertest.Session(outputs, "\x1b]0;root@lpar1:/\x07\x1b[01;32mroot@lpar1\x1b[00m:\x1b[01;34m/\x1b[00m# "), Session, "lpar1"},
		"[host:user:path]":    {importertest.Session(outputs, "[lpar1:root:/home/root:] "), Session, "lpar1"},
		"root@host[/]#":       {importertest.Session(outputs, "root@lpar1[/]# "), Session, "lpar1"},
		"time and prompt":     {importertest.Session(outputs, "[2025-11-21 09:00:07] lpar1:/# "), Session, "lpar1"},
		"date : cmd":          {importertest.Session(outputs, "Fri Nov 21 09:00:07 CET 2025 : "), Session, ""},
		"set -x":              {importertest.Session(outputs, "+ "), Session, ""},
		"--- cmd":             {importertest.Headed(outputs, "--- %s\n"), Headings, ""},
		"==== cmd ====":       {importertest.Headed(outputs, "\n==== %s ====\n\n"), Headings, ""},
		"rulers":              {importertest.Headed(outputs, "**************\n%s\n**************\n"), Headings, ""},
		"[cmd]":               {importertest.Headed(outputs, "[%s]\n"), Headings, ""},
		">>> cmd":             {importertest.Headed(outputs, ">>> %s\n"), Headings, ""},
		"Output of: cmd":      {importertest.Headed(outputs, "Output of: %s\n"), Headings, ""},
		"the command only":    {importertest.Headed(outputs, "%s\n"), Headings, ""},
	} {
		got := Text(t.Context(), []byte(c.text), "")
		if got.Form != c.form || got.Host != c.host {
			t.Errorf("%s: got %s of host %q, want %s of host %q", name, got.Form, got.Host, c.form, c.host)
		}
		if diff := cmp.Diff(want, commands(got)); diff != "" {
			t.Errorf("%s: commands (-want +got):\n%s", name, diff)
			continue
		}
		for i, p := range got.Pieces {
			if strings.TrimSpace(string(p.Text)) != strings.TrimSpace(outputs[i].Text) {
				t.Errorf("%s: %s: got %q, want %q", name, p.Command, p.Text, outputs[i].Text)
			}
			line := strings.Split(c.text, "\n")[p.Line-1]
			if first, _, _ := strings.Cut(string(p.Text), "\n"); line != first {
				t.Errorf("%s: %s: line %d is %q, want %q", name, p.Command, p.Line, line, first)
			}
		}
	}
}

// A file may be headed by the command that printed it.
func TestHeadedByReader(t *testing.T) {
	body := "Ethernet Channel Bonding Driver: v5.10.0\n\nBonding Mode: load balancing (round-robin)\n"
	got := Text(t.Context(), []byte("cat /proc/net/bonding/bond1\n"+body+"ethtool -g eth0\nRing parameters for eth0:\nRX: 1\n"), "")
	want := []string{"cat /proc/net/bonding/bond1", "ethtool -g eth0"}
	if diff := cmp.Diff(want, commands(got)); diff != "" || got.Form != Headings {
		t.Errorf("%s: commands (-want +got):\n%s", got.Form, diff)
	}
}

// Outputs one after the other are separated by their content.
func TestFollow(t *testing.T) {
	var text strings.Builder
	want := map[string]bool{}
	for _, o := range importertest.LPAR("lpar1", "10.1.1.11") {
		text.WriteString(o.Text)
		switch id := detect.ParseCommand(o.Command).ID; id {
		case "netstat-v": // of one adapter it is entstat's
		case "lsdev-Cc-if": // two lists of devices are one longer list
		default:
			want[id] = true
		}
	}
	c := Text(t.Context(), []byte(text.String()), "")
	if c.Form != Follow {
		t.Fatalf("got %s, want %s", c.Form, Follow)
	}
	got := map[string]bool{}
	for _, p := range c.Pieces {
		f, ok := detect.Text(p.Text, detect.Hint{})
		if !ok {
			t.Errorf("line %d: not recognised: %q", p.Line, p.Text)
			continue
		}
		if f.ID != "entstat-d" {
			got[f.ID] = true
		}
		if len(f.Report.Unknown) > 0 {
			t.Errorf("line %d: %s leaves %v", p.Line, f.Kind, f.Report.Unknown)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}

// A hop to another host in the middle of a session.
func TestTwoHosts(t *testing.T) {
	one, two := importertest.LPAR("lpar1", "10.1.1.11"), importertest.LPAR("lpar2", "10.1.1.12")
	c := Text(t.Context(), []byte(importertest.Session(one[3:5], "root@lpar1:/ # ")+importertest.Session(two[3:5], "root@lpar2:/ # ")), "")
	var hosts []string
	for _, p := range c.Pieces {
		hosts = append(hosts, p.Host)
	}
	if diff := cmp.Diff([]string{"lpar1", "lpar1", "lpar2", "lpar2"}, hosts); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

// Every byte of the pieces is a byte of the text, in order.
func FuzzText(f *testing.F) {
	outputs := importertest.LPAR("lpar1", "10.1.1.11")
	f.Add([]byte(importertest.Session(outputs[:4], "# ")))
	f.Add([]byte(importertest.Headed(outputs[:4], "==== %s ====\n")))
	f.Add([]byte(importertest.Snap(outputs)["./general/general.snap"]))
	f.Add([]byte("AAA,host,x\nBBBP,1,no -a\nBBBP,2,no -a,\"a = 1\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := Text(t.Context(), text, "")
		if len(c.Pieces) == 0 {
			t.Fatal("no pieces")
		}
		if c.Form == Nmon {
			return // its outputs are unquoted
		}
		blanks := strings.NewReplacer(" ", "", "\t", "") // those before all lines may be taken off
		rest := blanks.Replace(string(text))
		for _, p := range c.Pieces {
			piece := blanks.Replace(string(p.Text))
			i := strings.Index(rest, piece)
			if i < 0 {
				t.Fatalf("%s: piece %q is not of the text", c.Form, p.Text)
			}
			rest = rest[i+len(piece):]
		}
	})
}

// A script's loop over devices.
func TestLoops(t *testing.T) {
	port := "chksum_offload yes  Enable checksum offload True\njumbo_frames   no   Request jumbo frames    True\nflow_ctrl      yes  Request flow control    True\n"
	for name, text := range map[string]string{
		"bare":            "== ent0 ==\n" + port + "== ent1 ==\n" + port,
		"below a heading": "#### lsattr ####\n--- ent0\n" + port + "--- ent1\n" + port,
	} {
		var got []string
		for _, p := range Text(t.Context(), []byte(text), "").Pieces {
			if f, ok := detect.Text(p.Text, detect.Hint{Command: p.Command, File: p.Title}); ok {
				got = append(got, f.ID+" "+f.Element)
			}
		}
		if diff := cmp.Diff([]string{"lsattr-El ent0", "lsattr-El ent1"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A text that is being taken apart when the user interrupts is left as it is.
func TestInterrupted(t *testing.T) {
	outputs := importertest.LPAR("lpar1", "10.1.1.11")
	session := importertest.Session(outputs, "root@lpar1:/ # ")
	var bare strings.Builder // one output after the other
	for _, o := range outputs {
		bare.WriteString(o.Text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, text := range map[string]string{"session": session, "outputs": bare.String()} {
		if c := Text(ctx, []byte(text), ""); c.Form != Whole || len(c.Pieces) != 1 {
			t.Errorf("%s: got %s in %d pieces, want the text as it is", name, c.Form, len(c.Pieces))
		}
	}
	if c := follow(ctx, split([]byte(bare.String()))); c != nil {
		t.Errorf("outputs that follow each other: got %d pieces, want none", len(c.Pieces))
	}
}

func TestRemembered(t *testing.T) {
	asked := 0
	length := remembered(func(line string) int { asked++; return len(line) })
	for range 3 {
		for _, line := range []string{"", "a", "bb"} {
			if got := length(line); got != len(line) {
				t.Errorf("%q: got %d", line, got)
			}
		}
	}
	if asked != 3 {
		t.Errorf("asked %d times for 3 lines", asked)
	}
}

// A long text takes apart in time that grows with it, whatever its lines look like.
func TestTextGrows(t *testing.T) {
	for name, line := range map[string]string{
		"one line again": "Hardware Address: fa:c2:11:4c:20:02\n", "lines": "row %d of en%d: something that ifconfig -a does not print\n",
		"prompts": "root@host%d:/ # true %d\n",
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 300, func(n int) func() {
				var b strings.Builder
				for i := range n {
					b.WriteString(strings.ReplaceAll(line, "%d", strconv.Itoa(i)))
				}
				return func() { Text(context.Background(), []byte(b.String()), "x.txt") }
			})
		})
	}
}

// A line of a script that runs a program inside a word parts nothing.
func TestCommandOf(t *testing.T) {
	for line, want := range map[string]string{
		"entstat -d ent0":              "entstat -d ent0",
		"=== /usr/bin/entstat -d ent0": "/usr/bin/entstat -d ent0",
		"entstat":                      "",
		"echo 'no -p -o sb_max=1' | oem_setup_env":            "",
		"got=$(echo 'no -o sb_max' | oem_setup_env) || got=x": "",
	} {
		if got := commandOf(line); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
