package top

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"seaworthy/internal/ui/report"
)

// help are the keys and what they do.
//
//go:embed keys.txt
var help string

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
	case "right", "space":
		s.stepBy(1)
	case "left":
		s.stepBy(-1)
	case "/", ":":
		s.prompt, s.input = rune(name[0]), ""
	case "esc":
		s.filter = ""
		s.arrange()
	case "P":
		s.peaks = !s.peaks
	case "p":
		s.pause()
	case "u":
		s.unit = s.unit.Next()
	case "o":
		s.order = s.order.Next()
		s.arrange()
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
	s.paused = !s.paused
	if !s.paused && s.latest != nil {
		s.show(s.latest)
	}
}

func (s *Screen) stepBy(n int) {
	if len(s.Replay) == 0 {
		return
	}
	switch to := s.step + n; {
	case to < 0:
		s.message = "the beginning of the recording"
		return
	case to >= len(s.Replay):
		s.message = "the end of the recording"
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

// framesPerSecond bounds how often the terminal is written to: hosts are read
// every few seconds, and keys feel immediate.
const framesPerSecond = 20

// Send hands a FrameMsg or FailedMsg to the screen.
type Send func(msg any)

// Run shows a screen until the user quits or the context ends. feed makes frames
// meanwhile and hands them on; it ends when its context does. nil: there are only
// those of the replay.
func Run(ctx context.Context, in io.Reader, out io.Writer, s *Screen, feed func(ctx context.Context, send Send)) error {
	p := tea.NewProgram(s, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler(),
		tea.WithFPS(framesPerSecond))
	feeding, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	if feed != nil {
		all.Go(func() { feed(feeding, func(m any) { p.Send(m) }) })
	}
	_, err := p.Run()
	stop()
	all.Wait()
	switch {
	case s.Err() != nil:
		return s.Err()
	case ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled):
		return context.Cause(ctx)
	}
	return err
}

// Init is for bubbletea: there is nothing to begin with.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a key, a size, or a frame.
func (s *Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = max(msg.Width, 1), max(msg.Height, 1)
		s.arrange()
	case FrameMsg:
		s.latest = msg.Frame
		if !s.paused {
			s.show(msg.Frame)
		}
	case FailedMsg:
		s.err = msg.Err
		return s, tea.Quit
	case tea.PasteMsg:
		if s.prompt != 0 {
			s.input += report.Safe(msg.Content)
		}
	case tea.KeyPressMsg:
		return s, s.key(msg)
	}
	return s, nil
}
