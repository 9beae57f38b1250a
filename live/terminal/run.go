package terminal

import (
	"context"
	"errors"
	"io"
	"sync"

	"seaworthy/report"

	tea "charm.land/bubbletea/v2"
)

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
