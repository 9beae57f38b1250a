package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/collection"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/history"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/store"
	"seaworthy/internal/ui/web/stream"
)

type serveCommand struct {
	*commandLine
	rules     findings.Rules
	waive     []string
	listen    guard.Options
	tokenFile string
	lab       string
	history   string
}

func newServe(a *commandLine) *cobra.Command {
	x := &serveCommand{commandLine: a, listen: guard.Options{Address: "127.0.0.1:8765"}}
	return a.command("serve", ruleFlags(&x.rules).And(command.Flags{
		"listen": &x.listen.Address, "tls-cert": &x.listen.Cert, "tls-key": &x.listen.Key, "token-file": &x.tokenFile,
		"lab": &x.lab, "waive": &x.waive, "history": &x.history,
	}), func(c *cobra.Command, argv []string) error { return x.run(c.Context(), argv) })
}

func (x *serveCommand) run(ctx context.Context, dirs []string) error {
	err := x.check(dirs)
	if err != nil {
		return err
	}
	o, folders, err := x.options(ctx, dirs)
	if err != nil {
		return err
	}
	l, err := guard.Listen(x.listen)
	switch {
	case errors.Is(err, guard.ErrNeedsTLS), errors.Is(err, guard.ErrNeedsToken):
		return command.Usage("serve --listen %w", err)
	case err != nil:
		return fmt.Errorf("serve: %w", err)
	}
	defer l.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if x.inventory != "" {
		open, err := x.access().Open(ctx, nil)
		if err != nil {
			return err
		}
		defer open.Close()
		open.DropHMCs()
		o.Hub = stream.Open(ctx, x.source(open))
		o.Running = strings.Fields(x.access().Flags())
		if len(dirs) == 0 {
			readings, err := collection.Follow(ctx, open, collection.FollowEvery)
			if err != nil {
				return err
			}
			defer readings.Close()
			folders.Dirs, folders.First, folders.Problems = []string{readings.Dir}, readings.First(), readings.Problems
			o.Words = o.Running
		}
	}
	if len(folders.Dirs) > 0 {
		o.Store = store.Open(ctx, folders)
	}
	err = x.Print(report.Safe(l.URL) + "\n")
	if err != nil {
		return err
	}
	return web.New(ctx, o).Serve(l, x.listen.Token)
}

// check refuses what cannot be served.
func (x *serveCommand) check(dirs []string) error {
	if x.lab != "" {
		if x.inventory != "" {
			return command.Usage("serve: --lab and -i exclude each other")
		}
		x.inventory = "lab:" + x.lab
	}
	if len(dirs) == 0 && x.inventory == "" && x.history == "" {
		return command.Usage("serve: name folders that collect, import or bench wrote, watch a lab with --lab NAME or hosts with -i, " +
			"or show a history with --history URL")
	}
	for _, dir := range dirs {
		if !fleet.IsFolder(dir) {
			return command.Usage("serve %s: no such folder", dir)
		}
	}
	return nil
}

// options reads the rules, the waivers and the token.
func (x *serveCommand) options(ctx context.Context, dirs []string) (web.Options, store.Options, error) {
	o, folders := web.Options{Version: command.Built().ID()}, store.Options{Dirs: dirs}
	err := x.openHistory(ctx, &o)
	if err != nil {
		return o, folders, err
	}
	o.Rules, err = x.rules.Load(ctx)
	if err != nil {
		return o, folders, err
	}
	o.Set, err = rule.Compile(o.Rules)
	if err != nil {
		return o, folders, err
	}
	x.listen.Token, err = readToken(ctx, x.tokenFile)
	if err != nil {
		return o, folders, err
	}
	folders.Rules = o.Set
	folders.Waivers, err = findings.LoadWaivers(ctx, x.waive)
	return o, folders, err
}

// openHistory sets how the pages open the history, which is tried once.
func (x *serveCommand) openHistory(ctx context.Context, o *web.Options) error {
	if x.history == "" {
		return nil
	}
	o.History = func(ctx context.Context) (*history.Store, error) { return past.Open(ctx, x.access(), x.history) }
	tried, err := o.History(ctx)
	if err != nil {
		return err
	}
	return tried.Close()
}

// leastToken is how long a token must be, in bytes.
const leastToken = 16

// readToken reads the token; none without a file.
func readToken(ctx context.Context, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("--token-file %s: %w", file, fileio.Cause(err))
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("--token-file %s: other users may read it: chmod 600", file)
	}
	text, err := decode.Read(ctx, file, 4096)
	if err != nil {
		return "", fmt.Errorf("--token-file %s: %w", file, fileio.Cause(err))
	}
	token := strings.TrimSpace(string(text))
	if len(token) < leastToken {
		return "", fmt.Errorf("--token-file %s: the token needs %d characters or more: head -c 24 /dev/urandom | base64 makes one",
			file, leastToken)
	}
	return token, nil
}

// source is the hosts of the hosts file, with the faults of a lab.
func (x *serveCommand) source(open *fleet.Connection) stream.Source {
	s := stream.Source{Name: filepath.Base(x.inventory), Every: live.Every}
	for _, h := range open.Hosts {
		s.Hosts = append(s.Hosts, h.Name())
	}
	s.Watch = func(ctx context.Context, news func(live.Event)) {
		live.Watch(ctx, open.Hosts, collect.Options{Platforms: open.Platforms, Hung: open.Hung}, s.Every, news)
	}
	lab, ok := x.access().Lab()
	if ok {
		s.Name, s.Faults = strings.TrimSpace("lab "+lab), labFaults(lab)
	}
	return s
}
