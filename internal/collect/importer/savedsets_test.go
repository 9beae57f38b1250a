package importer_test

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer"
)

// output is what a command printed.
type output struct{ command, text string }

// web7 are outputs of a host of Linux, one of which says its name.
var web7 = []output{
	{"uname -a", linuxNode}, {"ip addr", address("eth0", "192.0.2.15")}, {"ethtool -i eth0", driver}, {"ethtool -S eth0", missed("70000")},
	{"cat /proc/net/sockstat", "sockets: used 290\nTCP: inuse 5 orphan 0 tw 0 alloc 8 mem 2\n"},
}

// each writes every output in one form.
func each(before, form, after string) string {
	var b strings.Builder
	b.WriteString(before)
	for _, o := range web7 {
		b.WriteString(strings.NewReplacer("COMMAND", o.command, "TEXT", o.text).Replace(form))
	}
	return b.String() + after
}

// wrapped breaks lines as a terminal of a width does.
func wrapped(text string, width int) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		for len(l) > width+1 {
			b.WriteString(l[:width] + "\n")
			l = l[width:]
		}
		b.WriteString(l)
	}
	return b.String()
}

// numberedBy puts numbers before all lines.
func numberedBy(text, form string) string {
	var b strings.Builder
	n := 0
	for l := range strings.Lines(text) {
		n++
		fmt.Fprintf(&b, form, n, l)
	}
	return b.String()
}

// before puts the same before every line of a text.
func before(mark, text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(mark + l)
	}
	return b.String()
}

// What people save of one host, in the forms of terminals, tickets and scripts, is that host, its platform and each output.
func TestSavedSets(t *testing.T) {
	session := each("", "root@web7:~# COMMAND\nTEXT", "root@web7:~# exit\n")
	var quoted, padded, typed strings.Builder
	for l := range strings.Lines(session) {
		quoted.WriteString("> " + l)
		padded.WriteString(fmt.Sprintf("%-120s\n", strings.TrimRight(l, "\n")))
	}
	padded.WriteString(strings.Repeat(" ", 120) + "\n")
	for _, o := range web7 {
		typed.WriteString(o.command + "; ")
	}
	all := each("", "TEXT", "")
	for name, text := range map[string]string{
		"a bar before each line":     before("| ", session),
		"a bullet before each line":  before("• ", session),
		"a reader's initials":        before("JD> ", session),
		"a comment's marks":          before("# ", session),
		"a logger's words":           before("2026-11-12 09:11:02,112 - diag - INFO - ", session),
		"a container's words":        before("2026-11-12T09:11:02.112233445Z stdout F ", session),
		"a speaker before each line": before("<jane> ", session),
		"a pod before each line":     before("[pod/diag-7x/diag] ", session),
		"hard blanks":                strings.ReplaceAll(session, " ", "\u00a0"),
		"words around indented text": "Hi all,\n\nhere is what you asked for.\n\n" + before("    ", session) + "\nAny idea is welcome.\n",
		"words before and behind":    "Hi all,\n\nsince last week it is slow.\n\n" + session + "\nAny idea is welcome.\n\nRegards,\nJane\n",
		"a recording":                strings.ReplaceAll(each("Script started on 2026-11-25 10:11:12+01:00\n", "\x1b[?2004h\x1b[01;32mroot@web7\x1b[00m:\x1b[01;34m~\x1b[00m# COMMAND\n\x1b[?2004l\rTEXT", ""), "\n", "\r\n"),
		"a pager":                    each("", "root@web7:~# COMMAND\nTEXT", "root@web7:~# ss\n\x1b[K(END)\r\x1b[K"),
		"a prompt of one word":       each("", "web7(root)/ # COMMAND\nTEXT", ""),
		"arrows":                     each("", "➜  ~ git:(main) ✗ COMMAND\nTEXT", ""),
		"a quote in a ticket":        "Hello,\n\nas asked:\n\n" + quoted.String() + "\nRegards\nOper\n",
		"a filled screen":            padded.String(),
		"wrapped lines":              wrapped(session, 80),
		"Markdown":                   each("## Slow\n\nOn web7:\n\n", "`COMMAND`:\n\n```\nTEXT```\n\n", ""),
		"Markdown, folded":           each("# Slow\n\n", "<details><summary>COMMAND</summary>\n\n```\nTEXT```\n</details>\n\n", ""),
		"Markdown, bold":             each("", "**COMMAND**:\n```\nTEXT```\n", ""),
		"a wiki":                     each("", "h3. COMMAND\n{noformat}\nTEXT{noformat}\n", ""),
		"a page":                     "<html><body>" + strings.NewReplacer("&lt;h2&gt;", "<h2>", "&lt;/h2&gt;&lt;pre&gt;", "</h2><pre>", "&lt;/pre&gt;", "</pre>").Replace(html.EscapeString(each("", "<h2>COMMAND</h2><pre>\nTEXT</pre>\n", ""))) + "</body></html>",
		"a script's words":           each("", "Running command: COMMAND\nTEXT\n", ""),
		"quotation marks":            each("", "Output of \"COMMAND\":\nTEXT\n", ""),
		"boxes":                      each("", strings.Repeat("#", 40)+"\n# COMMAND\n"+strings.Repeat("#", 40)+"\nTEXT\n", ""),
		"ssh":                        each("", "ssh web7 COMMAND\nTEXT\n", ""),
		"ansible":                    each("", "$ ansible web7 -m command -a \"COMMAND\"\nweb7 | CHANGED | rc=0 >>\nTEXT\n", ""),
		"a page's text":              html.EscapeString(session),
		"cat -A":                     strings.NewReplacer("\n", "$\n", "\t", "^I").Replace(session),
		"a patch":                    "+" + strings.ReplaceAll(strings.TrimSuffix(session, "\n"), "\n", "\n+") + "\n",
		"numbers and blanks":         numberedBy(session, "%4d  %s"),
		"a wiki's titles":            each("h3. web7\n{code:title=hostname -s}\nweb7\n{code}\n", "{code:title=COMMAND|borderStyle=solid}\nTEXT{code}\n", ""),
		"times of a console":         before("[Fri Nov 27 08:00:01 2026] ", session),
		"words before prompts":       each("", "PROD root@web7 / # COMMAND\nTEXT", ""),
		"French":                     each("Bonjour,\n\n", "Résultat de la commande « COMMAND » :\nTEXT\n", ""),
		"German":                     each("", "Ausgabe des Befehls COMMAND:\nTEXT\n", ""),
		"Spanish":                    each("", "Salida de COMMAND:\nTEXT\n", ""),
		"Japanese":                   each("", "■ COMMAND の結果\nTEXT\n", ""),
		"watch":                      each("", "Every 2.0s: COMMAND                 web7: Fri Nov 27 08:00:00 2026\n\nTEXT\n", ""),
		"PowerShell":                 each("Windows PowerShell transcript start\n", "PS C:\\Users\\oper> ssh root@web7 COMMAND\nTEXT", "PS C:\\Users\\oper> exit\n"),
		"cmd.exe":                    each("", "C:\\Users\\oper>ssh root@web7 COMMAND\nTEXT", ""),
		"a trace with times":         each("", "+ 10:00:01 COMMAND\nTEXT", ""),
		"a build's log":              each("Started by user oper\n[net] $ /bin/sh -xe /tmp/job.sh\n", "+ ssh web7 COMMAND\nTEXT", "+ exit 0\n"),
		"pssh":                       each("[1] 08:00:00 [SUCCESS] web7\n", "# COMMAND\nTEXT", ""),
		"Fabric":                     "[web7] run: sh -x\n" + before("[web7] out: ", each("", "# COMMAND\nTEXT", "")) + "[web7] out: \n\nDone.\n",
		"a journal":                  before("Nov 27 08:00:01 web7 netcheck[1234]: ", each("", "# COMMAND\nTEXT", "")),
		"reStructuredText":           "Slow\n====\n\n" + each("", "``COMMAND``::\n\nTEXT\n", ""),
		"AsciiDoc":                   each("= web7\n\n", ".COMMAND\n----\nTEXT----\n\n", ""),
		"TOML":                       each("", "\"COMMAND\" = \"\"\"\nTEXT\"\"\"\n", ""),
		"begin and end":              each("", "BEGIN COMMAND\nTEXTEND COMMAND\n", ""),
		"hosts in headings":          each("", "##### COMMAND on web7 #####\nTEXT", ""),
		"tags of parallel":           before("web7\t", each("", "# COMMAND\nTEXT", "")),
		"Salt":                       "web7:\n" + before("    ", each("", "# COMMAND\nTEXT", "")),
		"a table of a page":          "<table>" + each("", "<tr><td>COMMAND</td><td><pre>TEXT</pre></td></tr>", "</table>\n"),
		"one line of commands":       "root@web7:/ # " + typed.String() + "\n" + all + "root@web7:/ #\n",
	} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{"saved.txt": text}))
		if got := found(r); len(got) != 1 || !strings.HasPrefix(got["web7"], "linux, ") {
			t.Errorf("%s: hosts %v, want web7 of Linux", name, got)
		}
		got := outputsOf(r)
		want := []string{"ethtool-S eth0", "ethtool-i eth0", "ip-addr-text", "proc-net-sockstat", "uname-a"}
		if name == "one line of commands" { // nothing parts the last from the one before it
			got = slices.DeleteFunc(got, func(s string) bool { return s == "proc-net-sockstat" })
			want = slices.Delete(want, 3, 4)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: outputs (-want +got):\n%s", name, diff)
		}
	}
}

// outputsOf are the outputs that were stored, each with its device.
func outputsOf(r *importer.Result) (list []string) {
	for _, f := range r.Files {
		for _, p := range f.Parts {
			if p.Stored && p.ID != "other" {
				list = append(list, strings.TrimSpace(p.ID+" "+p.Element))
			}
		}
	}
	slices.Sort(list)
	return list
}

// Files of one folder that are named after a host and a command are that host's, whatever words the command has.
func TestNamesOfCommands(t *testing.T) {
	files := map[string]string{}
	for _, o := range web7 {
		files["d/web7_"+strings.NewReplacer(" ", "_", "/", "_").Replace(o.command)+".txt"] = o.text
	}
	files["d/web7_nstat_-zas.txt"] = "#kernel\nIpInReceives                    1234567            0.0\n"
	files["d/web7_tc_-s_qdisc.txt"] = "qdisc mq 0: dev eth0 root\n Sent 5 bytes 1 pkt (dropped 0, overlimits 0 requeues 0)\n backlog 0b 0p requeues 0\n"
	r, _ := imported(t, importer.Options{}, put(t, files))
	if got := found(r); len(got) != 1 || !strings.HasPrefix(got["web7"], "linux, ") {
		t.Errorf("got %v, want web7 alone", got)
	}
}

// An output is said to begin in the line in which it does, whatever marks stand around it.
func TestLinesOfOutputs(t *testing.T) {
	for name, text := range map[string]string{
		"Markdown": each("# Slow\n\n", "`COMMAND`:\n\n```\nTEXT```\n\n", ""),
		"AsciiDoc": each("= web7\n\n", ".COMMAND\n----\nTEXT----\n\n", ""),
		"TOML":     each("", "\"COMMAND\" = \"\"\"\nTEXT\"\"\"\n", ""),
		"markers":  each("", "BEGIN COMMAND\nTEXTEND COMMAND\n", ""),
		"a trace":  each("", "+ COMMAND\nTEXT", ""),
		"Org":      each("* web7\n", "#+begin_src sh\nCOMMAND\n#+end_src\n#+begin_example\nTEXT#+end_example\n", ""),
	} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{"saved.txt": text}))
		lines := strings.Split(text, "\n")
		for _, p := range r.Files[0].Parts {
			for _, o := range web7 {
				first, _, _ := strings.Cut(o.text, "\n")
				if p.Command == o.command && !slices.Contains(lines[p.Line-1:min(p.Line+2, len(lines))], first) {
					t.Errorf("%s: %s is said to begin in line %d, which is %q", name, p.Command, p.Line, lines[p.Line-1])
				}
			}
		}
	}
}
