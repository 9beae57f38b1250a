package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/remote"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/top"
)

// topFlags say what is watched and how.
type topFlags struct {
	every  time.Duration
	once   bool
	record string
}

func (a *app) top() *cobra.Command {
	f := topFlags{every: live.Every}
	return a.command("top", command.Flags{
		"every": &f.every, "once": &f.once, "record": &f.record,
	}, func(c *cobra.Command, argv []string) error {
		switch {
		case f.every < 500*time.Millisecond:
			return command.Usage("top: --every %s: expected 500ms or more", f.every)
		case len(argv) == 0 && a.inventory == "":
			return command.Usage("top: name hosts or a recording, or give an inventory with -i")
		}
		if !f.once && !a.onTerminal() {
			return command.Usage("top: no terminal: use --once")
		}
		if len(argv) == 1 && isRecording(argv[0]) {
			return a.topReplay(c.Context(), argv[0], &f)
		}
		return a.topLive(c.Context(), argv, &f)
	})
}

// onTerminal says whether somebody can see the screen and type.
func (a *app) onTerminal() bool {
	_, typed := command.Terminal(a.Stdin)
	_, seen := command.Terminal(a.Stdout)
	return typed && seen
}

// isRecording says whether an argument is a file, and not a host's name.
func isRecording(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular()
}

func (a *app) topReplay(ctx context.Context, file string, f *topFlags) error {
	if f.record != "" {
		return command.Usage("top: --record and a recording exclude each other")
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	rec, err := live.Open(in)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	frames, err := live.Frames(rec)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(frames) == 0 {
		return fmt.Errorf("%s: no reading in it", file)
	}
	if f.once {
		return a.frame(frames[len(frames)-1])
	}
	o := a.topScreen(f)
	o.Replay, o.Source = frames, filepath.Base(file)
	return top.Run(ctx, a.Stdin, a.Stdout, top.New(o), nil)
}

// topScreen are the options of a screen; what it saves goes to the working
// directory.
func (a *app) topScreen(f *topFlags) top.Options {
	return top.Options{Every: f.every, Color: a.Results().Color, Save: func(text string) (string, error) {
		name := "seaworthy-top-" + time.Now().Format("20060102-150405.000") + ".txt"
		path, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		return path, fileio.Create(path, []byte(text))
	}}
}

func (a *app) topLive(ctx context.Context, argv []string, f *topFlags) error {
	open, err := a.open(ctx, argv)
	if err != nil {
		return err
	}
	defer open.close()
	if len(argv) == 0 {
		open.leaveHMCs()
	}
	names := make([]string, len(open.hosts))
	for i, h := range open.hosts {
		names[i] = h.Name()
	}
	keep, err := newRecord(f, names)
	if err != nil {
		return err
	}
	if f.once {
		err = a.topOnce(ctx, open, names, f, keep)
	} else {
		err = a.topScreenOf(ctx, open, names, f, keep)
	}
	return errors.Join(err, keep.close())
}

// topScreenOf shows the hosts until the user quits.
func (a *app) topScreenOf(ctx context.Context, open *connected, names []string, f *topFlags, keep *record) error {
	m := live.NewModel(names...)
	return top.Run(ctx, a.Stdin, a.Stdout, top.New(a.topScreen(f)), func(ctx context.Context, send top.Send) {
		send(top.FrameMsg{Frame: m.Frame()})
		live.Watch(ctx, open.hosts, open.how(), f.every, func(e live.Event) {
			m.Add(e)
			if err := keep.add(e); err != nil {
				send(top.FailedMsg{Err: err})
			}
			send(top.FrameMsg{Frame: m.Frame()})
		})
	})
}

// topOnce reads every host until it gave rates or went away.
func (a *app) topOnce(ctx context.Context, open *connected, names []string, f *topFlags, keep *record) error {
	m := live.NewModel(names...)
	watch, stop := context.WithCancel(ctx)
	defer stop()
	var unsaved error
	live.Watch(watch, open.hosts, open.how(), f.every, func(e live.Event) {
		m.Add(e)
		if unsaved = keep.add(e); unsaved != nil {
			stop()
		}
		if got, away := m.Read(); got+away == len(names) {
			stop()
		}
	})
	switch {
	case unsaved != nil:
		return unsaved
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return a.frame(m.Frame())
}

// frame prints a tree; the exit status says whether all hosts gave rates.
func (a *app) frame(f *live.Frame) error {
	var failed error
	got := 0
	for _, s := range f.Systems {
		for _, h := range s.Hosts {
			switch {
			case h.Why != "":
				failed = errors.Join(failed, remote.On(h.Name, errors.New(h.Why)))
			case h.Seconds == 0:
				failed = errors.Join(failed, remote.On(h.Name, errors.New("no pair of readings")))
			default:
				got++
			}
		}
	}
	var outcome error
	switch {
	case failed != nil && got == 0:
		outcome = failed
	case failed != nil:
		outcome = command.Exit(command.ExitInconclusive, failed)
	}
	return a.Conclude(outcome, f, func(p *report.Document) { top.Rates(p, f) })
}

// record is a recording under way; nil: nothing is kept.
type record struct {
	path string
	file *os.File
	to   *live.Recorder
}

// newRecord makes the file of --record, which is for its owner alone: it holds
// all that the hosts printed.
func newRecord(f *topFlags, hosts []string) (*record, error) {
	if f.record == "" {
		return nil, nil
	}
	err := fileio.Create(f.record, nil)
	if errors.Is(err, fs.ErrExist) {
		return nil, command.Usage("top: --record %s: the file is there already", f.record)
	}
	if err != nil {
		return nil, err
	}
	file, err := fileio.Open(f.record, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	r := &record{path: f.record, file: file}
	if r.to, err = live.NewRecorder(file, time.Now(), f.every, hosts); err != nil {
		return nil, errors.Join(r.unsaved(err), file.Close())
	}
	return r, nil
}

func (r *record) add(e live.Event) error {
	if r == nil {
		return nil
	}
	return r.unsaved(r.to.Add(e))
}

func (r *record) close() error {
	if r == nil {
		return nil
	}
	return r.unsaved(r.file.Close())
}

func (r *record) unsaved(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: not written: %w", r.path, fileio.Cause(err))
}
