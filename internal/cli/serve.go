package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/store"
	"seaworthy/internal/ui/web/stream"
)

type serveFlags struct {
	rules     ruleFlags
	waive     []string
	listen    guard.Options
	tokenFile string
	lab       string
}

func (a *app) serve() *cobra.Command {
	f := serveFlags{listen: guard.Options{Address: "127.0.0.1:8765"}}
	return a.command("serve", f.rules.flags().And(command.Flags{
		"listen": &f.listen.Address, "tls-cert": &f.listen.Cert, "tls-key": &f.listen.Key, "token-file": &f.tokenFile,
		"lab": &f.lab, "waive": &f.waive,
	}), func(c *cobra.Command, argv []string) error { return a.runServe(c.Context(), &f, argv) })
}

func (a *app) runServe(ctx context.Context, f *serveFlags, dirs []string) error {
	if f.lab != "" {
		if a.inventory != "" {
			return command.Usage("serve: --lab and -i exclude each other")
		}
		a.inventory = "lab:" + f.lab
	}
	if len(dirs) == 0 && a.inventory == "" {
		return command.Usage("serve: name folders that collect, import or bench wrote, or watch a lab with --lab NAME or hosts with -i")
	}
	for _, dir := range dirs {
		if !isSnapshot(dir) {
			return command.Usage("serve %s: no such folder", dir)
		}
	}
	o := web.Options{Version: command.Built().ID()}
	var err error
	if o.Rules, err = f.rules.all(ctx); err != nil {
		return err
	}
	if o.Set, err = rule.Compile(o.Rules); err != nil {
		return err
	}
	if f.listen.Token, err = readToken(ctx, f.tokenFile); err != nil {
		return err
	}
	waivers, err := loadWaivers(ctx, f.waive)
	if err != nil {
		return err
	}
	l, err := guard.Listen(f.listen)
	switch {
	case errors.Is(err, guard.ErrNeedsTLS), errors.Is(err, guard.ErrNeedsToken):
		return command.Usage("serve --listen %w", err)
	case err != nil:
		return fmt.Errorf("serve: %w", err)
	}
	defer l.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if a.inventory != "" {
		open, err := a.open(ctx, nil)
		if err != nil {
			return err
		}
		defer open.close()
		open.leaveHMCs()
		o.Hub = stream.Open(ctx, a.watched(open))
	}
	if len(dirs) > 0 {
		o.Store = store.Open(ctx, store.Options{Dirs: dirs, Rules: o.Set, Waivers: waivers})
	}
	if err := a.Print(report.Safe(l.URL) + "\n"); err != nil {
		return err
	}
	return web.New(ctx, o).Serve(l, f.listen.Token)
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

// watched are the hosts of the inventory, with the faults of a lab.
func (a *app) watched(open *connected) stream.Source {
	s := stream.Source{Name: filepath.Base(a.inventory), Every: live.Every}
	for _, h := range open.hosts {
		s.Hosts = append(s.Hosts, h.Name())
	}
	s.Watch = func(ctx context.Context, news func(live.Event)) {
		live.Watch(ctx, open.hosts, open.how(), s.Every, news)
	}
	if name, ok := strings.CutPrefix(a.inventory, "lab"); ok && (name == "" || name[0] == ':') {
		s.Name, s.Faults = strings.TrimSpace("lab "+strings.TrimPrefix(name, ":")), labFaults(strings.TrimPrefix(name, ":"))
	}
	return s
}
