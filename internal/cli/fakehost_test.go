package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// fakeHost answers as an LPAR or a VIOS did in a transcript, and keeps what
// chdev sets. Faults come first.
type fakeHost struct {
	mu      sync.Mutex
	assumed remotetest.Table // what is asked before a feature begins
	answers remotetest.Table
	padmin  bool
	faults  []fault
	watches int // how often its counters were read while it was watched
}

// fault makes matching commands go wrong.
type fault struct {
	command *regexp.Regexp
	handler remotetest.Handler
}

// second turns a transcript of the first system into one of the second.
var second = strings.NewReplacer("lpar1", "lpar2", "vios1", "vios2", "21SEA01", "21SEA02", "0013EA01", "0013EA02",
	"32:43:01", "32:43:02", "32.43.1.", "32.43.2.", "10.10.10.11", "10.10.10.12", "10.10.10.21", "10.10.10.22")

// fakeFleet gives the four hosts of two systems, by user@name.
func fakeFleet(t testing.TB) map[string]*fakeHost {
	t.Helper()
	fleet := map[string]*fakeHost{}
	for name, user := range map[string]string{"lpar1": "root", "vios1": "padmin"} {
		text, err := os.ReadFile(filepath.Join("testdata", "hosts", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, transcript := range []string{string(text), second.Replace(string(text))} {
			h := &fakeHost{padmin: user == "padmin"}
			h.read(t, transcript)
			fleet[user+"@"+name] = h
			name = second.Replace(name)
		}
	}
	return fleet
}

// read takes "$ command" lines with their outputs below.
func (h *fakeHost) read(t testing.TB, transcript string) {
	t.Helper()
	h.answers = remotetest.Table{}
	for block := range strings.SplitSeq("\n"+strings.TrimSuffix(transcript, "\n"), "\n$ ") {
		line, out, _ := strings.Cut(block, "\n")
		if line == "" {
			continue
		}
		if out != "" {
			out += "\n"
		}
		h.answers[line] = remotetest.Answer{Stdout: out}
	}
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	var fixes strings.Builder
	for _, f := range cat.Fixes() {
		fixes.WriteString("    There was no data for " + f + " in the fix database.\n")
	}
	h.answers[`instfix -ik "`+strings.Join(cat.Fixes(), " ")+`" 2>&1`] = remotetest.Answer{Stdout: fixes.String(), Exit: 1}
	h.assumed = assumed(t, h.padmin)
	if len(h.answers) < 10 {
		t.Fatalf("a transcript has %d commands, want a whole host", len(h.answers))
	}
	if !h.padmin {
		return
	}
	// padmin's restricted shell: everything but ioscli goes through oem_setup_env.
	table := remotetest.Table{"oem_setup_env": {}}
	for line, a := range h.answers {
		if !strings.HasPrefix(line, "ioscli ") {
			table[line] = remotetest.Answer{Stderr: "rksh: " + line + ": restricted\n", Exit: 1}
			line = "oem_setup_env: " + line
		}
		table[line] = a
	}
	h.answers = table
}

// assumed answers the tests of the catalogue's assumptions as a host does where
// they hold.
func assumed(t testing.TB, padmin bool) remotetest.Table {
	t.Helper()
	list, err := knowledge.Assumptions()
	if err != nil {
		t.Fatal(err)
	}
	table := remotetest.Table{}
	for _, a := range list {
		if login := map[bool]string{true: "padmin", false: "aix"}[padmin]; a.Test != nil && slices.Contains(a.On, login) {
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

func (h *fakeHost) serve(ctx context.Context, c *remotetest.Call) int {
	h.mu.Lock()
	for _, f := range h.faults {
		if f.command.MatchString(c.Command) {
			h.mu.Unlock()
			return f.handler(ctx, c)
		}
	}
	h.mu.Unlock()
	if strings.HasSuffix(c.Command, "oem_setup_env || sh") { // the host's lock, which is always free here
		_, _ = io.Copy(io.Discard, c.Stdin)
		fmt.Fprint(c.Stdout, "seaworthy run a\nseaworthy watchers 2\nseaworthy state armed\n")
		return 0
	}
	return h.well(ctx, c)
}

// well answers without faults.
func (h *fakeHost) well(ctx context.Context, c *remotetest.Call) int {
	if h.watched(c) {
		return 0
	}
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
		exit := h.answers.Serve(ctx, &one)
		fmt.Fprint(c.Stdout, h.counted(printed.String()))
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
func (h *fakeHost) attribute(line string) (remotetest.Answer, bool) {
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
	list, err := lsattr.Parse([]byte(h.answers[h.listing(m[1]+m[3])].Stdout))
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
func (h *fakeHost) listing(device string) string {
	if h.padmin {
		return "oem_setup_env: lsattr -El " + device
	}
	return "lsattr -El " + device
}

func (h *fakeHost) set(device, attr, value string) bool {
	answer, ok := h.answers[h.listing(device)]
	if !ok {
		return false
	}
	list, err := lsattr.Parse([]byte(answer.Stdout))
	if err != nil || list.Get(attr) == nil {
		return false
	}
	list.Get(attr).Value = &value
	answer.Stdout = string(printing.FormatLsattr(&lsattr.Listing{Form: list.Form, Attributes: list.Attributes}))
	h.answers[h.listing(device)] = answer
	if attr == "mtu_bypass" { // what runs is among the interface's flags
		flags := h.answers["ifconfig -a"]
		flags.Stdout = strings.ReplaceAll(flags.Stdout, "64BIT,LARGESEND,CHECKSUM", "64BIT,CHECKSUM")
		if value == "on" {
			flags.Stdout = strings.ReplaceAll(flags.Stdout, "64BIT,CHECKSUM", "64BIT,LARGESEND,CHECKSUM")
		}
		h.answers["ifconfig -a"] = flags
	}
	return true
}

// aloneWith starts the fake fleet, with a home and a working folder that are empty but
// for hosts.yaml with these hosts.
func aloneWith(t *testing.T, hosts string) *remotetest.Fleet {
	t.Helper()
	for _, name := range []string{"XDG_STATE_HOME", "HOME"} {
		t.Setenv(name, t.TempDir())
	}
	handlers := map[string]remotetest.Handler{}
	for login, h := range fakeFleet(t) {
		handlers[login] = h.serve
	}
	fleet := remotetest.Start(t, handlers)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("hosts.yaml", []byte("ssh_config: "+fleet.Config+"\nhosts:\n"+hosts), 0o600); err != nil {
		t.Fatal(err)
	}
	return fleet
}
