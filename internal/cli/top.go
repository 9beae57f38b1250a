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

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/remote"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/top"
)

type topCommand struct {
	*commandLine
	every  time.Duration
	once   bool
	record string
}

func newTop(a *commandLine) *cobra.Command {
	x := &topCommand{commandLine: a, every: live.Every}
	return a.command("top", command.Flags{
		"every": &x.every, "once": &x.once, "record": &x.record,
	}, func(c *cobra.Command, argv []string) error { return x.run(c.Context(), argv) })
}

func (x *topCommand) run(ctx context.Context, argv []string) error {
	switch {
	case x.every < 500*time.Millisecond:
		return command.Usage("top: --every %s: expected 500ms or more", x.every)
	case len(argv) == 0 && x.inventory == "":
		return command.Usage("top: name hosts or a recording, or give an inventory with -i")
	case !x.once && !x.onTerminal():
		return command.Usage("top: no terminal: use --once")
	}
	if len(argv) == 1 && isRecording(argv[0]) {
		return x.replay(ctx, argv[0])
	}
	return x.watch(ctx, argv)
}

// onTerminal says whether somebody can see the screen and type.
func (x *topCommand) onTerminal() bool {
	_, typed := command.Terminal(x.Stdin)
	_, seen := command.Terminal(x.Stdout)
	return typed && seen
}

// isRecording says whether an argument is a file, and not a host's name.
func isRecording(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular()
}

func (x *topCommand) replay(ctx context.Context, file string) error {
	if x.record != "" {
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
	frames, err := live.Frames(ctx, rec)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(frames) == 0 {
		return fmt.Errorf("%s: no reading in it", file)
	}
	if x.once {
		return x.frame(frames[len(frames)-1])
	}
	o := x.screen()
	o.Replay, o.Source = frames, filepath.Base(file)
	return top.Run(ctx, x.Stdin, x.Stdout, top.New(o), nil)
}

// screen are the options of a screen; what it saves goes to the working
// directory.
func (x *topCommand) screen() top.Options {
	return top.Options{Every: x.every, Color: x.Results().Color, Save: func(text string) (string, error) {
		name := "seaworthy-top-" + time.Now().Format("20060102-150405.000") + ".txt"
		path, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		return path, fileio.Create(path, []byte(text))
	}}
}

func (x *topCommand) watch(ctx context.Context, argv []string) error {
	open, err := x.access().Open(ctx, argv)
	if err != nil {
		return err
	}
	defer open.Close()
	if len(argv) == 0 {
		open.DropHMCs()
	}
	names := make([]string, len(open.Hosts))
	for i, h := range open.Hosts {
		names[i] = h.Name()
	}
	keep, err := newRecord(x.record, x.every, names)
	if err != nil {
		return err
	}
	if x.once {
		err = x.watchOnce(ctx, open, names, keep)
	} else {
		err = x.watchOnScreen(ctx, open, names, keep)
	}
	return errors.Join(err, keep.close())
}

// watchOnScreen shows the hosts until the user quits.
func (x *topCommand) watchOnScreen(ctx context.Context, open *fleet.Connection, names []string, keep *record) error {
	m := live.NewModel(names...)
	return top.Run(ctx, x.Stdin, x.Stdout, top.New(x.screen()), func(ctx context.Context, send top.Send) {
		shown := top.Follow(ctx, m, send)
		defer shown.Wait()
		live.Watch(ctx, open.Hosts, collect.Options{Platforms: open.Platforms, Hung: open.Hung}, x.every, func(e live.Event) {
			shown.Add(e)
			if err := keep.add(e); err != nil {
				send(top.FailedMsg{Err: err})
			}
		})
	})
}

// watchOnce reads every host until it gave rates or went away.
func (x *topCommand) watchOnce(ctx context.Context, open *fleet.Connection, names []string, keep *record) error {
	m := live.NewModel(names...)
	watch, stop := context.WithCancel(ctx)
	defer stop()
	var unsaved error
	live.Watch(watch, open.Hosts, collect.Options{Platforms: open.Platforms, Hung: open.Hung}, x.every, func(e live.Event) {
		m.Add(e)
		unsaved = keep.add(e)
		if unsaved != nil {
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
	return x.frame(m.Frame())
}

// frame prints a tree; the exit status says whether all hosts gave rates.
func (x *topCommand) frame(f *live.Frame) error {
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
	return x.Conclude(outcome, f, func(p *report.Document) { top.Rates(p, f) })
}

// record is a recording under way; nil: nothing is kept.
type record struct {
	path string
	file *os.File
	to   *live.Recorder
}

// newRecord makes the file of --record, which is for its owner alone: it holds
// all that the hosts printed.
func newRecord(path string, every time.Duration, hosts []string) (*record, error) {
	if path == "" {
		return nil, nil
	}
	err := fileio.Create(path, nil)
	if errors.Is(err, fs.ErrExist) {
		return nil, command.Usage("top: --record %s: the file is there already", path)
	}
	if err != nil {
		return nil, err
	}
	file, err := fileio.Open(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	r := &record{path: path, file: file}
	if r.to, err = live.NewRecorder(file, time.Now(), every, hosts); err != nil {
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
