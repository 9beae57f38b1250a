package top_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/top"
)

var update = flag.Bool("update", false, "write golden files")

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

var at = time.Date(2026, 11, 22, 11, 45, 2, 0, time.UTC)

// frame has two VIOSes and two LPARs of a system, and one host that is away.
func frame(in float64) *live.Frame {
	rates := func(v float64) live.Rates {
		return live.Rates{live.InBytes: v, live.OutBytes: v / 2, live.InPackets: v / 1000, live.OutPackets: v / 2000, live.Drops: 0, live.Misses: 0}
	}
	adapter := func(name, kind, role string, v float64) *live.Element {
		return &live.Element{Name: name, Kind: kind, Role: role, Rates: rates(v), Peaks: rates(2 * v)}
	}
	vios := func(name string, active bool, v float64) *live.Host {
		sea := adapter("ent5", "sea", "", v)
		sea.State, sea.Interfaces = "BACKUP", []string{"en5 10.1.1.21/24"}
		sea.Standby = []int{1, 20}
		if active {
			sea.State, sea.Bridging, sea.Standby = "PRIMARY", []int{1, 20}, nil
		}
		trunk := adapter("ent4", "virtual-adapter", "trunk", v)
		trunk.Rates[live.Misses], trunk.Peaks[live.Misses] = 12, 40
		port := adapter("ent0", "physical-adapter", "real adapter", v)
		port.SpeedMbit = 10000
		sea.Below = []*live.Element{port, trunk}
		return &live.Host{Name: name, Platform: "vios", State: live.Up, Seconds: 2, Cores: new(0.42), PeakCores: new(0.8), Entitled: new(1.0),
			Elements: []*live.Element{sea}}
	}
	client := adapter("ent0", "virtual-adapter", "", in)
	client.Via, client.Interfaces = []string{"vios1:ent5"}, []string{"en0 10.1.1.1/24"}
	lpar1 := &live.Host{Name: "lpar1", Platform: "aix", State: live.Up, Seconds: 2, Cores: new(1.97), PeakCores: new(2.01), Entitled: new(0.5),
		Retransmits: new(3.5), Elements: []*live.Element{client}}
	evil := &live.Host{Name: "evil\x1b[31m", Platform: "linux", State: live.Away, Since: new(at.Add(-10 * time.Second)), Why: "unreachable: \x1b]0;x\a",
		Elements: []*live.Element{{Name: "eth0\u202e", Kind: "interface"}}}
	return &live.Frame{Schema: live.SchemaFrame, At: at, Systems: []*live.System{
		{Name: "9009-22A*7812345", Hosts: []*live.Host{vios("vios1", true, in), vios("vios2", false, 0), lpar1}},
		{Hosts: []*live.Host{evil, {Name: "lpar9", State: live.Waiting}}},
	}}
}

// press sends keys: words such as enter, else each letter.
func press(s *top.Screen, keys ...string) (last tea.Cmd) {
	special := map[string]tea.Key{"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp},
		"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "space": {Code: tea.KeySpace, Text: " "}, "pgdown": {Code: tea.KeyPgDown},
		"backspace": {Code: tea.KeyBackspace}, "end": {Code: tea.KeyEnd}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}}
	for _, k := range keys {
		if key, ok := special[k]; ok {
			_, last = s.Update(tea.KeyPressMsg(key))
			continue
		}
		for _, r := range k {
			_, last = s.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return last
}

func screen(o top.Options) *top.Screen {
	o.Every = 2 * time.Second
	s := top.New(o)
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.Update(top.FrameMsg{Frame: frame(12_345_678)})
	return s
}

func TestScreens(t *testing.T) {
	later := top.FrameMsg{Frame: frame(99_000_000)}
	for name, do := range map[string]func(*top.Screen){
		"tree":     func(*top.Screen) {},
		"adapter":  func(s *top.Screen) { press(s, "jjj") },
		"filter":   func(s *top.Screen) { press(s, "/", "vios2") },
		"without":  func(s *top.Screen) { press(s, "/", "!vios", "enter") },
		"nothing":  func(s *top.Screen) { press(s, "/", "nosuch", "enter") },
		"unfilter": func(s *top.Screen) { press(s, "/", "vios2", "enter", "esc") },
		"goto":     func(s *top.Screen) { press(s, ":", "lpar1:e", "enter") },
		"nowhere":  func(s *top.Screen) { press(s, ":", "x", "enter") },
		"folded":   func(s *top.Screen) { press(s, "j", "enter", "j", "enter") },
		"peaks":    func(s *top.Screen) { press(s, "P") },
		"megabits": func(s *top.Screen) { press(s, "jjj", "u") },
		"of line":  func(s *top.Screen) { press(s, "u", "u") },
		"traffic":  func(s *top.Screen) { s.Update(later); press(s, "o") },
		"lost":     func(s *top.Screen) { press(s, "o", "o") },
		"line": func(s *top.Screen) {
			press(s, "jjj")
			s.Update(later)
			s.Update(top.FrameMsg{Frame: frame(50_000_000)})
		},
		"paused":   func(s *top.Screen) { press(s, "p"); s.Update(later) },
		"on again": func(s *top.Screen) { press(s, "p"); s.Update(later); press(s, "p") },
		"help":     func(s *top.Screen) { press(s, "?") },
		"small":    func(s *top.Screen) { s.Update(tea.WindowSizeMsg{Width: 60, Height: 10}); press(s, "end") },
		"wide":     func(s *top.Screen) { s.Update(tea.WindowSizeMsg{Width: 120, Height: 24}) },
		"tiny":     func(s *top.Screen) { s.Update(tea.WindowSizeMsg{Width: 9, Height: 2}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := screen(top.Options{})
			do(s)
			golden(t, strings.ReplaceAll(name, " ", "-"), s)
		})
	}
}

func golden(t *testing.T, name string, s *top.Screen) {
	t.Helper()
	got := strings.Join(s.Plain(), "\n") + "\n"
	file := filepath.Join("testdata", name+".screen")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), got); err != nil || diff != "" {
		t.Errorf("%v; screen (-want +got):\n%s", err, diff)
	}
}

// Nothing that a host says reaches the terminal as a control sequence, no line is
// wider than the screen and none is below it, at any size, with colours too.
func TestSizes(t *testing.T) {
	for _, color := range []bool{false, true} {
		for _, size := range [][2]int{{80, 24}, {1, 1}, {20, 5}, {200, 60}, {79, 3}} {
			s := screen(top.Options{Color: color})
			s.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for _, key := range []string{"", "end", "P", "?", "esc", "/", "x"} {
				press(s, key)
				text := s.View().Content
				lines := strings.Split(text, "\n")
				if len(lines) > size[1] {
					t.Errorf("%v after %q: %d lines", size, key, len(lines))
				}
				for _, l := range lines {
					if w := ansi.StringWidth(l); w > size[0] {
						t.Errorf("%v after %q: %d columns: %q", size, key, w, l)
					}
				}
				if strings.Contains(text, "\x1b]") || strings.Contains(text, "evil\x1b") || strings.Contains(text, "\u202e") {
					t.Errorf("%v after %q: what the host said controls the terminal: %q", size, key, text)
				}
				if !color && strings.Contains(text, "\x1b") {
					t.Errorf("%v after %q: a control sequence without colours: %q", size, key, text)
				}
			}
		}
	}
}

// The cursor stays on its row when rows come and go above it.
func TestCursorStays(t *testing.T) {
	s := screen(top.Options{})
	press(s, ":", "lpar1", "enter")
	f := frame(1)
	f.Systems[0].Hosts = f.Systems[0].Hosts[1:]
	s.Update(top.FrameMsg{Frame: f})
	if line := s.Plain()[2+5]; !strings.HasPrefix(line, ">") || !strings.Contains(line, "lpar1") {
		t.Errorf("the cursor is not on lpar1:\n%s", strings.Join(s.Plain(), "\n"))
	}
}

// Until the user moves the cursor it is on the first row, whatever comes.
func TestCursorBegins(t *testing.T) {
	s := top.New(top.Options{})
	f := frame(1)
	f.Systems = f.Systems[1:]
	s.Update(top.FrameMsg{Frame: f})
	s.Update(top.FrameMsg{Frame: frame(1)})
	if line := s.Plain()[2]; line != ">- 9009-22A*7812345" {
		t.Errorf("the first row is %q", line)
	}
}

func TestReplay(t *testing.T) {
	s := top.New(top.Options{Replay: []*live.Frame{frame(1000), frame(2000), frame(3000)}, Source: "today.jsonl"})
	for _, step := range []struct{ key, want string }{
		{"", "step 1 of 3  today.jsonl"}, {"space", "step 2 of 3"}, {"right", "step 3 of 3"}, {"right", "the end of the recording"},
		{"left", "step 2 of 3"}, {"left", "step 1 of 3"}, {"left", "the beginning of the recording"},
	} {
		press(s, step.key)
		if text := strings.Join(s.Plain(), "\n"); !strings.Contains(text, step.want) {
			t.Errorf("after %q: no %q in\n%s", step.key, step.want, text)
		}
	}
}

func TestSave(t *testing.T) {
	var saved string
	s := screen(top.Options{Color: true, Save: func(text string) (string, error) { saved = text; return "/tmp/here.txt", nil }})
	before := strings.Join(s.Plain(), "\n") + "\n"
	press(s, "s")
	if saved != before || strings.Contains(saved, "\x1b") {
		t.Errorf("saved %q, want %q", saved, before)
	}
	if foot := s.Plain()[23]; foot != "saved to /tmp/here.txt" {
		t.Errorf("the last line is %q", foot)
	}
	s.Save = func(string) (string, error) { return "", os.ErrPermission }
	press(s, "s")
	if foot := s.Plain()[23]; foot != "permission denied" {
		t.Errorf("the last line is %q", foot)
	}
}

func TestQuit(t *testing.T) {
	for _, keys := range [][]string{{"q"}, {"ctrl+c"}, {"/", "ctrl+c"}, {"?", "ctrl+c"}, {"?", "q"}} {
		if cmd := press(screen(top.Options{}), keys...); cmd == nil || cmd() != tea.Quit() {
			t.Errorf("%v does not quit", keys)
		}
	}
	if press(screen(top.Options{}), "/", "q") != nil {
		t.Error("q in a filter quits")
	}
}
