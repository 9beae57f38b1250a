package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

// take collects one host and returns its manifest and its commands by line.
func take(t *testing.T, user string, h remotetest.Handler, o Options) (*Manifest, map[string]Record, *remotetest.Fleet) {
	t.Helper()
	f := remotetest.Start(t, map[string]remotetest.Handler{user + "@host": h})
	m, err := single(context.Background(), f.Host("host"), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]Record{}
	for _, r := range m.Commands {
		if _, twice := lines[r.Line]; twice {
			t.Errorf("%q was run twice", r.Line)
		}
		lines[r.Line] = r
	}
	return m, lines, f
}

func gaps(m *Manifest) string {
	var out []string
	for _, g := range m.Gaps {
		out = append(out, g.What+": "+g.Why)
	}
	return strings.Join(out, "\n")
}

// asked are the sorted lines that begin with a prefix.
func asked(lines map[string]Record, prefix string) []string {
	out := []string{}
	for l := range lines {
		if strings.HasPrefix(l, prefix) {
			out = append(out, l)
		}
	}
	sort.Strings(out)
	return out
}

func TestAIX(t *testing.T) {
	m, lines, _ := take(t, "root", aixHost().Serve, Options{})
	if got, want := fmt.Sprint(m.Schema, m.Host, m.Platform, m.User, m.Error), fmt.Sprint(SchemaSnapshot, "host", "aix", "root", ""); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"entstat -d ent0"}, asked(lines, "entstat")); diff != "" {
		t.Errorf("entstat, want -, got +\n%s", diff)
	}
	if want := "entstat -d ent1: not run: nothing uses ent1"; !strings.Contains(gaps(m), want) {
		t.Errorf("got gaps\n%s\nwant %q among them", gaps(m), want)
	}
	if diff := cmp.Diff([]string{"lsattr -Dl en0", "lsattr -Dl ent0", "lsattr -Dl ent1"}, asked(lines, "lsattr -Dl")); diff != "" {
		t.Errorf("lsattr -D, want -, got +\n%s", diff)
	}
	for line, r := range lines {
		if r.Exit != 0 || r.Error != "" {
			t.Errorf("%q: exit %d, error %q", line, r.Exit, r.Error)
		}
	}
	if r := lines["lsattr -Rl ent0 -a max_buf_huge"]; r.Attribute != "max_buf_huge" || r.Element != "ent0" || r.ID != "lsattr-Rl" {
		t.Errorf("got %+v", r)
	}
	if n := len(m.Commands); n > 48 {
		t.Errorf("%d commands for a small host, want at most 48", n)
	}
	if r := lines["errpt | head -n 200"]; r.Stdout != "" {
		t.Errorf("nothing was printed, but there is a file %q", r.Stdout)
	}
}

func TestVIOS(t *testing.T) {
	for _, tc := range []struct {
		name, user string
		table      table
		entstat    []string
		via        string // of lsattr -El ent7
		gap        string
	}{
		{"root", "root", viosHost(), []string{"entstat -d ent4", "entstat -d ent7"}, "", "nothing uses ent5"},
		{"padmin with oem_setup_env", "padmin", padmin(true), []string{"entstat -d ent4", "entstat -d ent7"}, "oem_setup_env", "nothing uses ent5"},
		{"padmin with the number of root", "padmin", merge(padmin(true), table{"id -u": says("0\n")}), []string{"entstat -d ent4", "entstat -d ent7"}, "oem_setup_env", ""},
		{"padmin alone", "padmin", padmin(false), []string{"ioscli entstat -all ent4", "ioscli entstat -all ent7"}, "-", "oem_setup_env: refused"},
		{"an entstat that leaves members out", "root", merge(viosHost(), table{"entstat -d ent7": statistics("ent7", "ent6", "ent2"), "entstat -d ent3": statistics("ent3")}),
			[]string{"entstat -d ent0", "entstat -d ent1", "entstat -d ent3", "entstat -d ent4", "entstat -d ent7"}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, lines, f := take(t, tc.user, tc.table.Serve, Options{})
			if m.Platform != "vios" || m.User != tc.user {
				t.Errorf("got %s as %s, want vios as %s", m.Platform, m.User, tc.user)
			}
			got := append(asked(lines, "entstat"), asked(lines, "ioscli entstat")...)
			if diff := cmp.Diff(tc.entstat, got); diff != "" {
				t.Errorf("entstat, want -, got +\n%s\n%s", diff, gaps(m))
			}
			if r, ok := lines["lsattr -El ent7"]; ok == (tc.via == "-") || (ok && r.Via != tc.via) {
				t.Errorf("lsattr -El ent7: got %v via %q, want via %q", ok, r.Via, tc.via)
			}
			if !strings.Contains(gaps(m), tc.gap) {
				t.Errorf("got gaps\n%s\nwant %q among them", gaps(m), tc.gap)
			}
			for line, r := range lines {
				if r.Exit != 0 {
					t.Errorf("%q: exit %d", line, r.Exit)
				}
			}
			if tc.user == "padmin" {
				for _, l := range f.Server("host").Lines() {
					if i := strings.Index(l, "PATH="); i >= 0 && !strings.Contains(l[:i], "echo ") {
						t.Errorf("%q sets PATH in the restricted shell", l)
					}
				}
			}
		})
	}
}

func TestLinux(t *testing.T) {
	missing := linuxHost()
	for line := range missing {
		if strings.HasPrefix(line, "ethtool") || strings.HasPrefix(line, "sysctl") {
			delete(missing, line)
		}
	}
	missing["command -v ethtool || echo none"] = says("none\n")
	missing[instead("proc-sys-net").Line] = says("/proc/sys/net/core/rmem_max:212992\n")
	for _, n := range []string{"eth0", "eth1", "bond0"} {
		missing[sysNet(n)] = says("/sys/class/net/" + n + "/mtu:1500\n")
	}
	bare := merge(missing, table{"ls /sys/class/net": says("eth0\nlo\n-x\n")})
	for line := range bare {
		if strings.HasPrefix(line, "ip ") {
			delete(bare, line)
		}
	}
	// RHEL 7's ip knows no -j.
	old := merge(linuxHost(), table{"ls /sys/class/net": says("eth0\nlo\n"), "ip -d addr": says("2: eth0: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP qlen 1000\n    link/ether 02:00:00:00:00:07 brd ff:ff:ff:ff:ff:ff\n")})
	for line := range old {
		if strings.HasPrefix(line, "ip -j") {
			old[line] = remotetest.Answer{Stderr: "Option \"-j\" is unknown, try \"ip -help\".\n", Exit: 255}
		}
	}
	for _, tc := range []struct {
		name  string
		table table
		want  []string // elements with details
		ids   []string
		gap   string
	}{
		{"all there", linuxHost(), []string{"bond0", "eth0", "eth1"}, []string{"ethtool-S", "sysctl", "lparcfg"}, `device "$(reboot)": not the form`},
		{"no ethtool, no sysctl", missing, []string{"bond0", "eth0", "eth1"}, []string{"sys-class-net", "proc-sys-net"}, "ethtool: not installed"},
		{"an old ip", old, []string{"eth0"}, []string{"ip-addr-text", "sys-class-net-list", "ethtool-k"}, "ip -j -d addr: exit status 255"},
		{"no ip either", bare, []string{"eth0"}, []string{"sys-class-net-list", "sys-class-net"}, "ip: not installed (package iproute2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, _, _ := take(t, "user", tc.table.Serve, Options{})
			got := map[string]bool{}
			ids := map[string]bool{}
			for _, r := range m.Commands {
				if r.Exit == 0 {
					ids[r.ID] = true
				}
				if r.Element != "" {
					got[r.Element] = true
				}
			}
			var names []string
			for n := range got {
				names = append(names, n)
			}
			sort.Strings(names)
			if diff := cmp.Diff(tc.want, names); diff != "" {
				t.Errorf("elements, want -, got +\n%s", diff)
			}
			for _, id := range tc.ids {
				if !ids[id] {
					t.Errorf("no good %s among the commands", id)
				}
			}
			if !strings.Contains(gaps(m), tc.gap) {
				t.Errorf("got gaps\n%s\nwant %q among them", gaps(m), tc.gap)
			}
			if strings.Contains(gaps(m), "grep -s") {
				t.Errorf("got gaps\n%s\nwant none of what grep printed without a file that is not there", gaps(m))
			}
		})
	}
}

// A driver without pause frames or counters has answered the question.
func TestUnsupportedIsNoGap(t *testing.T) {
	host := linuxHost()
	host["ethtool -a eth0"] = remotetest.Answer{Stderr: "netlink error: Operation not supported\n", Exit: 76}
	host["ethtool -S eth0"] = remotetest.Answer{Stderr: "no stats available\n", Exit: 94}
	host["ethtool -g eth0"] = remotetest.Answer{Stderr: "netlink error: Operation not permitted\n", Exit: 1}
	m, _, _ := take(t, "user", host.Serve, Options{})
	for _, silent := range []string{"ethtool -a eth0", "ethtool -S eth0"} {
		if strings.Contains(gaps(m), silent) {
			t.Errorf("got gaps\n%s\nwant none for %s", gaps(m), silent)
		}
	}
	if want := "ethtool -g eth0: exit status 1: netlink error: Operation not permitted"; !strings.Contains(gaps(m), want) {
		t.Errorf("got gaps\n%s\nwant %q among them", gaps(m), want)
	}
}

func TestOtherPlatform(t *testing.T) {
	m, _, _ := take(t, "root", table{"uname -s": says("SunOS\n"), "uname -a": says("SunOS x\n")}.Serve, Options{})
	if m.Platform != "unknown" || !strings.Contains(gaps(m), "neither AIX, VIOS nor Linux") {
		t.Errorf("got %s, gaps %s", m.Platform, gaps(m))
	}
	// A host whose uname fails can be named in the inventory.
	lame := aixHost()
	delete(lame, "uname -s")
	m, _, _ = take(t, "root", lame.Serve, Options{Platforms: map[string]model.Platform{"host": model.AIX}})
	if m.Platform != "aix" || len(m.Commands) < 10 {
		t.Errorf("got %s with %d commands, want aix", m.Platform, len(m.Commands))
	}
}

// A csh answers "export" with an error; sh -c brings a Bourne shell.
func TestCShell(t *testing.T) {
	csh := func(ctx context.Context, c *remotetest.Call) int {
		line, ok := strings.CutPrefix(c.Line, "sh -c ")
		if !ok {
			io.WriteString(c.Stderr, "export: Command not found.\n")
			return 1
		}
		line = strings.ReplaceAll(strings.Trim(line, "'"), `'\''`, "'")
		inner := *c
		inner.Line, inner.Command = line, remotetest.Bare(line)
		return remotetest.Together(aixHost().Serve)(ctx, &inner)
	}
	m, lines, _ := take(t, "root", csh, Options{})
	if r := lines["oslevel -s"]; m.Platform != "aix" || r.Exit != 0 {
		t.Errorf("got %s, oslevel %+v", m.Platform, r)
	}
}

// Names out of a host's output reach a command line only if they are names.
func TestHostileNames(t *testing.T) {
	evil := merge(aixHost(), table{"lsdev -Cc adapter": says("ent0;reboot Available  Virtual I/O Ethernet Adapter (l-lan)\n" +
		"ent$(id) Available  Shared Ethernet Adapter\n../ent0 Available x\nent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n"),
		"lsattr -El ent0": says("real_adapter ent1;reboot Physical adapter True\nvirt_adapters ent9`id` List True\n")})
	_, _, f := take(t, "root", evil.Serve, Options{})
	for _, l := range f.Server("host").Lines() {
		if strings.Contains(l, "reboot") || strings.Contains(l, "id)") || strings.Contains(l, "`") || strings.Contains(l, "..") {
			t.Errorf("ran %q", l)
		}
	}
}

func TestHostDies(t *testing.T) {
	var fleet *remotetest.Fleet
	fleet = remotetest.Start(t, map[string]remotetest.Handler{
		"good": aixHost().Serve,
		"dies": remotetest.On(regexp.MustCompile("^netstat -s"), func(ctx context.Context, c *remotetest.Call) int {
			io.WriteString(c.Stdout, "tcp:\n")
			fleet.Server("dies").Down()
			return 0
		}, aixHost().Serve),
		"down": aixHost().Serve,
	})
	fleet.Server("down").Down()
	dir := t.TempDir()
	var mu sync.Mutex
	ended := map[string]bool{}
	out, err := Fleet(context.Background(), fleet.Hosts("dies", "down", "good"), dir, Options{}, func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Ended {
			ended[e.Host] = e.Err == nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{"dies": false, "down": false, "good": true}, ended); diff != "" {
		t.Errorf("progress, want -, got +\n%s", diff)
	}
	for i, want := range []string{"dies: ", "connection refused", ""} {
		if got := fmt.Sprint(out[i].Err); want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: got error %q, want %q in it", out[i].Host, got, want)
		}
	}
	if out[2].Err != nil || out[0].Manifest == nil || out[0].Manifest.Error == "" || out[1].Manifest != nil {
		t.Errorf("got %+v", out)
	}
	names := folderNames(t, dir)
	if diff := cmp.Diff([]string{"dies.partial", "good"}, names); diff != "" {
		t.Errorf("folders, want -, got +\n%s", diff)
	}
	snaps, err := Open(dir)
	if err != nil || len(snaps) != 2 {
		t.Fatalf("got %d snapshots, %v, want 2", len(snaps), err)
	}
	// Of two sessions side by side, only that with netstat -s is sure to have had answers before.
	if kept := slices.ContainsFunc(snaps[0].Manifest.Commands, func(r Record) bool { return r.Exit == 0 }); !kept {
		t.Errorf("the outputs before the death are not there: %+v", snaps[0].Manifest.Commands)
	}
	// A second run takes the place of the partial one.
	fleet = remotetest.Start(t, map[string]remotetest.Handler{"dies": aixHost().Serve})
	if _, err := single(context.Background(), fleet.Host("dies"), dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"dies", "good"}, folderNames(t, dir)); diff != "" {
		t.Errorf("folders, want -, got +\n%s", diff)
	}
	// And a finished one is never overwritten.
	if _, err := single(context.Background(), fleet.Host("dies"), dir, Options{}); err == nil || !strings.Contains(err.Error(), "already holds a snapshot") {
		t.Errorf("got %v, want a refusal", err)
	}
}

func folderNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestLostOnceIsRetried(t *testing.T) {
	var once sync.Once
	h := func(ctx context.Context, c *remotetest.Call) int {
		if c.Command == "oslevel -s" {
			once.Do(c.Cut)
		}
		return aixHost().Serve(ctx, c)
	}
	_, lines, f := take(t, "root", h, Options{})
	if r := lines["oslevel -s"]; r.Exit != 0 || r.Error != "" {
		t.Errorf("got %+v, want a good answer at the second try", r)
	}
	if n := f.Server("host").Logins(); n != 2 {
		t.Errorf("got %d logins, want 2", n)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	answered := make(chan struct{})
	f := remotetest.Start(t, map[string]remotetest.Handler{"host": remotetest.On(regexp.MustCompile("^no -a"), func(ctx context.Context, c *remotetest.Call) int {
		<-answered
		cancel()
		return remotetest.Hang(ctx, c)
	}, aixHost().Serve)})
	dir := t.TempDir()
	outcomes, err := Fleet(ctx, []remote.Host{f.Host("host")}, dir, Options{Sessions: 1}, func(e Event) {
		if e.Line == "oslevel -s" {
			close(answered)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := outcomes[0].Manifest, outcomes[0].Err
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "host.partial") || !strings.Contains(m.Error, "interrupted") {
		t.Fatalf("got %v, manifest error %q", err, m.Error)
	}
	snaps, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if text, _, ok := stored(snaps[0], "oslevel-s", ""); !ok || string(text) != "7200-05-06-2320\n" {
		t.Errorf("got %q, %v", text, ok)
	}
	if r := recordOf(snaps[0], "errpt", ""); r == nil || !strings.Contains(r.Error, "not run") {
		t.Errorf("a command after the interrupt: %+v", r)
	}
	for _, n := range folderNames(t, snaps[0].Dir) {
		if strings.HasSuffix(n, ".tmp") {
			t.Errorf("half-written file %s", n)
		}
	}
}

func TestHungCommands(t *testing.T) {
	// One command that hangs costs its limit and nothing else.
	r := &runner{h: remotetest.Start(t, map[string]remotetest.Handler{"host": remotetest.On(regexp.MustCompile("^hang"), remotetest.Hang, table{"ok": says("x")}.Serve)}).Host("host"),
		opts: Options{Sessions: 1}, m: &Manifest{}}
	var err error
	if r.store, err = newStore(t.TempDir(), "host", false); err != nil {
		t.Fatal(err)
	}
	limit := 50 * time.Millisecond
	out := r.run(context.Background(), []Item{{ID: "a", Line: "hang 1", Limit: limit}, {ID: "b", Line: "ok"}})
	if out[0].ok || !out[1].ok || r.stop != nil {
		t.Errorf("got %+v, stop %v", out, r.stop)
	}
	var items []Item
	for i := range 8 {
		items = append(items, Item{ID: fmt.Sprint(i), Line: fmt.Sprint("hang ", i), Limit: limit})
	}
	r.run(context.Background(), items)
	if r.stop == nil || !strings.Contains(r.stop.Error(), "4 commands in a row did not end") {
		t.Errorf("got stop %v, want the host given up", r.stop)
	}
	last := r.m.Commands[len(r.m.Commands)-1]
	if !strings.HasPrefix(last.Error, "not run: ") {
		t.Errorf("got %q for the last command, want it not run", last.Error)
	}
}

// A full disk: a clear error, and no file that is not whole.
func TestFullDisk(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"host": aixHost().Serve})
	s, err := newStore(t.TempDir(), "host", false)
	if err != nil {
		t.Fatal(err)
	}
	room := 5
	var mu sync.Mutex
	s.write = func(path string, data []byte) error {
		mu.Lock()
		defer mu.Unlock()
		room--
		if room < 0 {
			return &os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
		}
		return fileio.WriteUnsynced(path, data)
	}
	out := readAll(context.Background(), []remote.Host{f.Host("host")}, Options{}, nil, func(remote.Host) (*store, error) { return s, nil })[0]
	m, err := out.Manifest, out.Err
	if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "host: ") {
		t.Fatalf("got error %v", err)
	}
	if _, err := os.Stat(s.final); err == nil {
		t.Error("a snapshot that is not whole stands under its final name")
	}
	for _, r := range m.Commands {
		if r.Stdout == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(s.dir, r.Stdout)); err != nil {
			t.Errorf("%s: the record names a file that is not there: %v", r.Line, err)
		}
	}
}

func TestGarbage(t *testing.T) {
	m, _, _ := take(t, "root", remotetest.On(regexp.MustCompile("^(lsdev|ifconfig|netstat)"), remotetest.Garbage(100_000), aixHost().Serve), Options{MaxOutput: 10_000})
	if !strings.Contains(gaps(m), "netstat -s: cut off after 10000 of 100000 bytes") {
		t.Errorf("got gaps\n%s", gaps(m))
	}
	i := slices.IndexFunc(m.Commands, func(r Record) bool { return r.ID == "netstat-s" })
	if !m.Commands[i].Truncated {
		t.Error("the record does not say that its output was cut")
	}
}

func TestFailuresAreGaps(t *testing.T) {
	m, lines, _ := take(t, "user", merge(aixHost(), table{
		"id -u":           says("204\n"),
		"entstat -d ent0": {Stderr: "entstat: 0909-002 Unable to open device ent0, errno = 13\n", Exit: 1},
	}).Serve, Options{})
	if want := "entstat -d ent0: exit status 1: entstat: 0909-002 Unable to open device ent0, errno = 13"; !strings.Contains(gaps(m), want) {
		t.Errorf("got gaps\n%s\nwant %q", gaps(m), want)
	}
	if r := lines["entstat -d ent0"]; r.Exit != 1 || r.Stderr == "" || r.Stdout != "" {
		t.Errorf("got %+v", r)
	}
}
