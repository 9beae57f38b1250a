package split

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer/normalize"
)

// driverOf is what ethtool -i prints of a host; the bus tells them apart.
func driverOf(bus string) string {
	return "driver: i40e\nversion: 5.14.0\nfirmware-version: 8.50\nexpansion-rom-version: \nbus-info: 0000:" + bus +
		":00.0\nsupports-statistics: yes\nsupports-test: yes\nsupports-eeprom-access: yes\n"
}

// beforeEach puts a mark before each line of a text.
func beforeEach(mark, text string) string {
	return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
}

// What tools that ask many hosts print is read as each host's output.
func TestFanOut(t *testing.T) {
	const rule = "---------------\n"
	indented := func(text string) string { return strings.ReplaceAll(beforeEach("  ", text), "\n  \n", "\n\n") }
	forms := map[string]struct {
		form         func(host, text string) string
		before, also string
	}{
		"knife ssh": {form: func(h, s string) string { return beforeEach(fmt.Sprintf("%-7s", h), s) }},
		"Bolt": {form: func(h, s string) string { return "Finished on " + h + ":\n" + indented(s) },
			before: "Started on web7...\nStarted on node12...\n", also: "Successful on 2 targets: web7,node12\nRan on 2 targets in 1.41 sec\n"},
		"Bolt with streams":           {form: func(h, s string) string { return "Finished on " + h + ":\n  STDOUT:\n" + beforeEach("    ", s) }},
		"pssh":                        {form: func(h, s string) string { return "[1] 10:00:01 [SUCCESS] " + h + "\n" + s }},
		"pdsh, xdsh, mussh, clush -L": {form: func(h, s string) string { return beforeEach(h+": ", s) }},
		"dsh, xdsh with dshbak":       {form: func(h, s string) string { return "HOST: " + h + "\n" + rule + s + "\n" }},
		"clush -b, pdsh with dshbak":  {form: func(h, s string) string { return rule + h + "\n" + rule + s }},
		"ansible":                     {form: func(h, s string) string { return h + " | CHANGED | rc=0 >>\n" + s + "\n" }},
		"ansible, a success": {form: func(h, s string) string {
			return h + " | SUCCESS => " + inJSON(map[string]any{"changed": false, "rc": 0, "stdout": s, "stdout_lines": strings.Split(s, "\n")}) + "\n"
		}},
		"salt":      {form: func(h, s string) string { return h + ":\n" + beforeEach("    ", s) }},
		"salt JSON": {form: func(h, s string) string { return inJSON(map[string]any{h: s}) + "\n" }},
		"Fabric": {form: func(h, s string) string {
			return "[" + h + "] run: ethtool -i eth0\n" + beforeEach("["+h+"] out: ", s) + "[" + h + "] out: \n\n"
		}},
	}
	want := []string{"web7 ethtool-i\n" + strings.TrimSpace(driverOf("3b")), "node12 ethtool-i\n" + strings.TrimSpace(driverOf("af"))}
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		f := forms[name]
		text := f.before + f.form("web7", driverOf("3b")) + f.form("node12", driverOf("af")) + f.also
		plain := normalize.Text([]byte(text))
		c := Text(t.Context(), plain.Text, "")
		c.Notes("")
		c.Pieces = slices.DeleteFunc(c.Pieces, func(p Piece) bool { return strings.TrimSpace(string(p.Text)) == "" || p.Host == "" })
		if diff := cmp.Diff(want, said(c)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func inJSON(v any) string {
	text, err := json.MarshalIndent(v, "", "    ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Outputs in messages, pages and cells within records are read, with the command and the host that the record gives.
func TestWrappedInRecords(t *testing.T) {
	text := driverOf("3b")
	for name, c := range map[string]struct{ text, command, host string }{
		"a message": {inJSON([]any{map[string]any{"user": "U1", "text": "can you send it?"},
			map[string]any{"user": "U2", "text": "root@web7:~# ethtool -i eth0\n" + text}}), "ethtool -i eth0", "web7"},
		"code in a message": {inJSON([]any{map[string]any{"user": "U2", "text": "`ethtool -i eth0`:\n```" + text + "```"}}), "ethtool -i eth0", ""},
		"a notebook": {inJSON(map[string]any{"cells": []any{map[string]any{"cell_type": "code", "source": []any{"!ssh web7 ethtool -i eth0"},
			"outputs": []any{map[string]any{"name": "stdout", "text": strings.SplitAfter(text, "\n")}}}}}), "ethtool -i eth0", "web7"},
		"a report of tests": {`<?xml version="1.0"?><suite><testcase name="ethtool -i eth0" host="web7"><system-out>` + text +
			"</system-out></testcase></suite>", "ethtool -i eth0", "web7"},
		"a page in a feed": {`<?xml version="1.0"?><rss><item><description>&lt;p&gt;ethtool -i eth0&lt;/p&gt;&lt;pre&gt;` + text +
			"&lt;/pre&gt;</description></item></rss>", "ethtool -i eth0", ""},
		"a table in Markdown": {"| Host | Command | Output |\n|---|:---:|---|\n| web7 | `ethtool -i eth0` | " +
			strings.ReplaceAll(strings.TrimSpace(text), "\n", "<br>") + " |\n", "ethtool -i eth0", "web7"},
	} {
		plain := normalize.Text([]byte(c.text))
		cut := Text(t.Context(), plain.Text, "")
		cut.Notes("")
		found := false
		for _, p := range cut.Pieces {
			if strings.TrimSpace(string(p.Text)) != strings.TrimSpace(text) {
				continue
			}
			found = true
			if !strings.HasSuffix(p.Command, c.command) || p.Host != c.host && !strings.Contains(p.Command, "ssh "+c.host+" ") {
				t.Errorf("%s: got %q of %q, want %q of %q", name, p.Command, p.Host, c.command, c.host)
			}
		}
		if !found {
			t.Errorf("%s: not among the pieces %q", name, said(cut))
		}
	}
}

// Prompts with a time, with a sign of their own and of two lines name the host.
func TestPromptsOfOtherForms(t *testing.T) {
	for name, prompt := range map[string]string{
		"a time":    "[09:11:02] root@web7:~# ",
		"a sign":    "root㉿web7:~# ",
		"two lines": "┌──(root㉿web7)-[~]\n└─# ",
	} {
		text := prompt + "ethtool -i eth0\n" + driverOf("3b") + prompt + "ethtool -i eth1\n" + driverOf("af")
		plain := normalize.Text([]byte(text))
		c := Text(t.Context(), plain.Text, "")
		if c.Host != "web7" || c.Form != Session {
			t.Errorf("%s: %s of %q, want %s of web7", name, c.Form, c.Host, Session)
		}
	}
}
