package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"seaworthy/report"
)

// help are the keys and what they do.
var help = []struct{ keys, what string }{
	{"Up Down  k j", "move"}, {"PgUp PgDn  Home End", "move by a screen, to the first or last row"},
	{"Enter", "fold or unfold what is below the row"},
	{"/", "show only rows with this text; !TEXT: all others"}, {"Esc", "end the filter, or this help"},
	{":", "go to a host, HOST:ELEMENT or a managed system"},
	{"P", "highest values so far, or the rates now"}, {"p", "pause, or go on; hosts are still read"},
	{"s", "save the screen to a file"}, {"q  Ctrl-C", "quit"},
	{"", ""},
	{"in a recording", ""}, {"Space Right, Left", "one step forwards, backwards"},
	{"", ""},
	{"KB", "1000 bytes; every number is per second"},
	{"misses", "packets lost: no receive buffer was free"},
	{"-", "not known: not counted, or read only once so far"},
}

// key does what a key is for.
func (s *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	if name == "ctrl+z" {
		return tea.Suspend
	}
	if s.prompt != 0 {
		s.typed(name, k.Text)
		return nil
	}
	s.message = ""
	if s.help && name != "q" {
		s.help = false
		return nil
	}
	switch name {
	case "q":
		return tea.Quit
	case "up", "k":
		s.move(-1)
	case "down", "j":
		s.move(1)
	case "pgup", "ctrl+b":
		s.move(-s.room())
	case "pgdown", "ctrl+f":
		s.move(s.room())
	case "home", "g":
		s.move(-len(s.rows))
	case "end", "G":
		s.move(len(s.rows))
	case "enter":
		s.fold()
	case "right", "space", "left":
		s.stepBy(map[string]int{"right": 1, "space": 1, "left": -1}[name])
	case "/", ":":
		s.prompt, s.input = rune(name[0]), ""
	case "esc":
		s.filter = ""
		s.arrange()
	case "P":
		s.peaks = !s.peaks
	case "p":
		s.pause()
	case "s":
		s.save()
	case "?":
		s.help = true
	}
	return nil
}

// typed takes a key while the user types a filter or a name. A filter shows its
// effect at once.
func (s *Screen) typed(name, text string) {
	switch name {
	case "enter":
		if s.prompt == ':' {
			s.find(s.input)
		}
		s.prompt = 0
		return
	case "esc":
		if s.prompt == '/' {
			s.filter = ""
		}
		s.prompt = 0
	case "backspace":
		if r := []rune(s.input); len(r) > 0 {
			s.input = string(r[:len(r)-1])
		}
	case "ctrl+u":
		s.input = ""
	default:
		s.input += report.Safe(text)
	}
	if s.prompt == '/' {
		s.filter = s.input
	}
	s.arrange()
}

func (s *Screen) pause() {
	if len(s.Replay) > 0 {
		return // it stands still anyway
	}
	if s.paused = !s.paused; !s.paused && s.latest != nil {
		s.show(s.latest)
	}
}

func (s *Screen) stepBy(n int) {
	if len(s.Replay) == 0 {
		return
	}
	if to := s.step + n; to < 0 || to >= len(s.Replay) {
		s.message = map[bool]string{true: "the beginning of the recording", false: "the end of the recording"}[to < 0]
		return
	}
	s.step += n
	s.show(s.Replay[s.step])
}

func (s *Screen) save() {
	if s.Save == nil {
		return
	}
	path, err := s.Save(strings.Join(s.Plain(), "\n") + "\n")
	if err != nil {
		s.message = err.Error()
		return
	}
	s.message = "saved to " + path
}
