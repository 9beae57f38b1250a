// Package transcripts has two Power systems for tests, an LPAR and a VIOS on
// each, which answer over SSH as hosts did in a transcript and keep what chdev
// sets.
package transcripts

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/test/remotetest"
	"seaworthy/lab/printing"
)

//go:embed testdata
var texts embed.FS

// Host is one of them.
type Host struct {
	Answers remotetest.Table
	Rewrite func(printed string) string // changes what is printed; may be nil

	mu      sync.Mutex
	assumed remotetest.Table // what is asked before a feature begins
	padmin  bool
}

// second turns a transcript of the first system into one of the second.
var second = strings.NewReplacer("lpar1", "lpar2", "vios1", "vios2", "21SEA01", "21SEA02", "0013EA01", "0013EA02",
	"32:43:01", "32:43:02", "32.43.1.", "32.43.2.", "10.10.10.11", "10.10.10.12", "10.10.10.21", "10.10.10.22")

// Texts are the transcripts, by host: "$ command" lines with their outputs below.
func Texts(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"lpar1", "vios1"} {
		text, err := texts.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		all[name], all[second.Replace(name)] = string(text), second.Replace(string(text))
	}
	return all
}

// Hosts are lpar1, vios1, lpar2 and vios2 by user@name.
func Hosts(t testing.TB) map[string]*Host {
	t.Helper()
	all := map[string]*Host{}
	for name, text := range Texts(t) {
		h, user := &Host{}, "root"
		if strings.HasPrefix(name, "vios") {
			h.padmin, user = true, "padmin"
		}
		h.read(t, text)
		all[user+"@"+name] = h
	}
	return all
}

// Start starts the hosts; they end with the test.
func Start(t testing.TB) *remotetest.Fleet {
	t.Helper()
	handlers := map[string]remotetest.Handler{}
	for login, h := range Hosts(t) {
		handlers[login] = h.Serve
	}
	return remotetest.Start(t, handlers)
}

func (h *Host) rewritten(printed string) string {
	if h.Rewrite == nil {
		return printed
	}
	return h.Rewrite(printed)
}

// read takes "$ command" lines with their outputs below.
func (h *Host) read(t testing.TB, transcript string) {
	t.Helper()
	h.Answers = remotetest.Table{}
	for block := range strings.SplitSeq("\n"+strings.TrimSuffix(transcript, "\n"), "\n$ ") {
		line, out, _ := strings.Cut(block, "\n")
		if line == "" {
			continue
		}
		if out != "" {
			out += "\n"
		}
		h.Answers[line] = remotetest.Answer{Stdout: out}
	}
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	var fixes strings.Builder
	for _, f := range cat.Fixes() {
		fixes.WriteString("    There was no data for " + f + " in the fix database.\n")
	}
	h.Answers[`instfix -ik "`+strings.Join(cat.Fixes(), " ")+`" 2>&1`] = remotetest.Answer{Stdout: fixes.String(), Exit: 1}
	h.assumed = assumed(t, h.padmin)
	if len(h.Answers) < 10 {
		t.Fatalf("a transcript has %d commands, want a whole host", len(h.Answers))
	}
	if !h.padmin {
		return
	}
	// padmin's restricted shell: everything but ioscli goes through oem_setup_env.
	table := remotetest.Table{"oem_setup_env": {}}
	for line, a := range h.Answers {
		if !strings.HasPrefix(line, "ioscli ") {
			table[line] = remotetest.Answer{Stderr: "rksh: " + line + ": restricted\n", Exit: 1}
			line = "oem_setup_env: " + line
		}
		table[line] = a
	}
	h.Answers = table
}

// assumed answers the tests of the catalogue's assumptions as a host does where
// they hold.
func assumed(t testing.TB, padmin bool) remotetest.Table {
	t.Helper()
	list, err := knowledge.Assumptions()
	if err != nil {
		t.Fatal(err)
	}
	login := "aix"
	if padmin {
		login = "padmin"
	}
	table := remotetest.Table{}
	for _, a := range list {
		if a.Test != nil && slices.Contains(a.On, login) {
			e := a.Examples.Held
			table[a.Test.Run] = remotetest.Answer{Stdout: e.Stdout, Stderr: e.Stderr, Exit: e.Exit}
		}
	}
	if padmin {
		table["oem_setup_env"] = remotetest.Answer{}
		table["/usr/ios/cli/ioscli ioslevel"] = table["ioscli ioslevel"]
	}
	return table
}

// Serve answers a command, or several that are joined by &&.
func (h *Host) Serve(ctx context.Context, c *remotetest.Call) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a, ok := h.assumed.Find(c); ok && strings.TrimSpace(c.Command) != "oem_setup_env" {
		fmt.Fprint(c.Stdout, a.Stdout)
		fmt.Fprint(c.Stderr, a.Stderr)
		return a.Exit
	}
	for line := range strings.SplitSeq(c.Command, " && ") {
		if a, ok := h.attribute(line); ok {
			fmt.Fprint(c.Stdout, a.Stdout)
			fmt.Fprint(c.Stderr, a.Stderr)
			if a.Exit != 0 {
				return a.Exit
			}
			continue
		}
		var printed bytes.Buffer
		one := *c
		one.Command, one.Stdout = line, &printed
		exit := h.Answers.Serve(ctx, &one)
		fmt.Fprint(c.Stdout, h.rewritten(printed.String()))
		if exit != 0 {
			return exit
		}
	}
	return 0
}

var (
	setting = regexp.MustCompile(`^(?:chdev -l|ioscli chdev -dev) (\S+) (?:-a|-attr) (\w+)='?([^' ]*)'?(?: -P| -perm)?$`)
	reading = regexp.MustCompile(`^lsattr -El (\S+) -a (\w+) -F value$|^ioscli lsdev -dev (\S+) -attr (\w+)$`)
)

// attribute answers what sets or reads one attribute.
func (h *Host) attribute(line string) (remotetest.Answer, bool) {
	if line == "mkdev -l inet0" {
		return remotetest.Answer{Stdout: "inet0 changed\n"}, true
	}
	if m := setting.FindStringSubmatch(line); m != nil {
		if !h.set(m[1], m[2], m[3]) {
			return remotetest.Answer{Stderr: "0514-018 " + m[2] + " is not a valid attribute of " + m[1] + "\n", Exit: 1}, true
		}
		return remotetest.Answer{Stdout: m[1] + " changed\n"}, true
	}
	m := reading.FindStringSubmatch(line)
	if m == nil {
		return remotetest.Answer{}, false
	}
	list, err := lsattr.Parse([]byte(h.Answers[h.listing(m[1]+m[3])].Stdout))
	if err != nil {
		return remotetest.Answer{Stderr: err.Error(), Exit: 1}, true
	}
	a := list.Get(m[2] + m[4])
	switch {
	case a == nil:
		return remotetest.Answer{Stderr: "0514-018 no such attribute\n", Exit: 1}, true
	case m[3] != "":
		return remotetest.Answer{Stdout: "value\n\n" + *a.Value + "\n"}, true
	}
	return remotetest.Answer{Stdout: *a.Value + "\n"}, true
}

// listing is the key of a device's lsattr -El.
func (h *Host) listing(device string) string {
	if h.padmin {
		return "oem_setup_env: lsattr -El " + device
	}
	return "lsattr -El " + device
}

func (h *Host) set(device, attr, value string) bool {
	answer, ok := h.Answers[h.listing(device)]
	if !ok {
		return false
	}
	list, err := lsattr.Parse([]byte(answer.Stdout))
	if err != nil || list.Get(attr) == nil {
		return false
	}
	list.Get(attr).Value = &value
	answer.Stdout = string(printing.FormatLsattr(&lsattr.Listing{Form: list.Form, Attributes: list.Attributes}))
	h.Answers[h.listing(device)] = answer
	if attr == "mtu_bypass" { // what runs is among the interface's flags
		flags := h.Answers["ifconfig -a"]
		flags.Stdout = strings.ReplaceAll(flags.Stdout, "64BIT,LARGESEND,CHECKSUM", "64BIT,CHECKSUM")
		if value == "on" {
			flags.Stdout = strings.ReplaceAll(flags.Stdout, "64BIT,CHECKSUM", "64BIT,LARGESEND,CHECKSUM")
		}
		h.Answers["ifconfig -a"] = flags
	}
	return true
}
