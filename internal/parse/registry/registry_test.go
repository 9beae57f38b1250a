package registry

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/parse"
)

// Every entry can be found: by its command line, its content or another entry.
func TestEntries(t *testing.T) {
	for _, e := range Entries() {
		if e.ID == "" || e.Command == "" || strings.ContainsAny(e.ID, " /") {
			t.Errorf("%+v: want an id and a command", e)
		}
		if e.ID != "other" && e.Mark == nil && e.Programs == nil && e.Like == "" && len(e.Asks) == 0 && e.Unmarked == nil {
			t.Errorf("%s: nothing recognises it", e.ID)
		}
		if e.Like != "" && Find(e.Like) == nil {
			t.Errorf("%s: like %q, which there is none of", e.ID, e.Like)
		}
		if e.Mark != nil && e.Mark.MatchString("") && e.Head == nil {
			t.Errorf("%s: its mark matches an empty line", e.ID)
		}
		for _, a := range e.Asks {
			device := slices.Contains([]Scope{OfDevice, OfStatistic, OfDefault, OfSlot, OfVirtual, OfServer, OfAccounted, OfNetdev, OfPort, OfPeer, OfSystem}, a.Of)
			if device != strings.Contains(a.Line, "{}") || a.Limit == 0 || a.On == 0 {
				t.Errorf("%s: %+v: want a limit, hosts, and {} for a device alone", e.ID, a)
			}
		}
		for _, p := range slices.Concat(slices.Collect(maps.Values(e.About)), slices.Collect(maps.Values(e.PrintedBy)),
			[]*parse.Pattern{e.Args, e.Mark, e.Head, e.Not, e.Element, e.Host, e.Start}) {
			if p != nil {
				p.Regexp() // panics if it does not compile
			}
		}
		if e.Element != nil && e.Element.Regexp().NumSubexp() < 1 || e.Host != nil && (e.Host.Regexp().NumSubexp() != 1 || e.HostFrom == "") {
			t.Errorf("%s: Element and Host need a group, Host its place", e.ID)
		}
	}
}

// Where sysctl is missing the same settings are read from files.
func TestSysctls(t *testing.T) {
	files := strings.ReplaceAll(strings.ReplaceAll(Find("proc-sys-net").Asks[0].Line, "/proc/sys/", ""), "/", ".")
	if want := strings.TrimPrefix(Find("sysctl").Asks[0].Line, "sysctl -e "); strings.TrimPrefix(files, "grep -s . ") != want {
		t.Errorf("read from files: %s\nwant %s", files, want)
	}
}

// A device's name stands only once in what is asked of it.
func TestAsks(t *testing.T) {
	base := Asks(OnAIX, OfHost)
	if len(base) < 10 || base[0].ID != "uname-a" || !slices.ContainsFunc(base, func(a Asked) bool { return a.Line == "netstat -in" }) {
		t.Errorf("an AIX host is asked %v", base)
	}
	for _, a := range Asks(OnPadmin, OfHost) {
		if a.Root || !strings.HasPrefix(a.Line, "ioscli ") {
			t.Errorf("the restricted shell is asked %q", a.Line)
		}
	}
}
