package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/collect/redact"
)

// aside runs a step that writes snapshots below a folder that does not stay,
// and copies them redacted to out. The folder lies beside out: nothing that was
// not redacted is ever written into it. With replace, copies take the place of
// earlier ones of the same key.
func (a *app) aside(ctx context.Context, keyFile, out string, replace bool, step func(dir string) error) (*redact.Copied, error) {
	key, err := redact.LoadKey(keyFile, out)
	if err != nil {
		return nil, err
	}
	parent := filepath.Dir(filepath.Clean(out))
	made, err := fileio.MkdirAll(parent)
	if err != nil {
		return nil, err
	}
	defer made.Undo() // if there is nothing to keep
	dir, err := fileio.MkdirTemp(parent, ".seaworthy-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := step(dir); err != nil {
		return nil, err
	}
	copied, err := redact.Folder(context.WithoutCancel(ctx), dir, out, key, replace) // what was read before an interrupt is kept
	if copied != nil && len(copied.Ambiguous) > 0 {
		a.Notice("replaced only where outputs mark them as host names, because they are also ordinary words: %s",
			strings.Join(copied.Ambiguous, ", "))
	}
	if copied != nil && len(copied.LeftOut) > 0 {
		a.Notice("left out, as nothing is known of what is in them: %s", strings.Join(copied.LeftOut, ", "))
	}
	return copied, err
}

// redacted imports into out; with a key file, redacted.
func (a *app) redacted(
	ctx context.Context, keyFile, out string, read func(dir string) (*importer.Result, error),
) (*importer.Result, error) {
	if keyFile == "" {
		return read(out)
	}
	var got *importer.Result
	copied, err := a.aside(ctx, keyFile, out, false, func(dir string) (err error) {
		got, err = read(dir)
		if err == nil && len(got.Hosts) == 0 {
			err = fmt.Errorf("import: nothing was recognised")
		}
		return err
	})
	if copied == nil || got == nil {
		return nil, err
	}
	got.Output = out
	for i := range got.Hosts {
		h := &got.Hosts[i]
		h.Dir = copied.Dirs[h.Host]
		h.Host = copied.Hosts[h.Host]
	}
	for i := range got.Files {
		f := &got.Files[i]
		f.Host = replaced(copied, f.Host)
		for k := range f.Parts {
			f.Parts[k].Host = replaced(copied, f.Parts[k].Host)
		}
	}
	return got, err
}

// replaced is what became of a host's name, also of its short form.
func replaced(c *redact.Copied, host string) string {
	if got, ok := c.Hosts[host]; ok || host == "" {
		return got
	}
	for was, got := range c.Hosts {
		if strings.EqualFold(was, host) || strings.HasPrefix(strings.ToLower(was), strings.ToLower(host)+".") {
			return got
		}
	}
	return "(redacted)"
}

// collectTo collects into out; with a key file, only the redacted copy is kept.
func (a *app) collectTo(ctx context.Context, hosts *connected, keyFile, out string, replace bool) ([]collect.Outcome, error) {
	if keyFile == "" {
		return hosts.collect(ctx, out, replace)
	}
	var outcomes []collect.Outcome
	unread := false
	copied, err := a.aside(ctx, keyFile, out, replace, func(dir string) (err error) {
		outcomes, err = hosts.collect(ctx, dir, false)
		unread = err == nil && !slices.ContainsFunc(outcomes, func(o collect.Outcome) bool { return o.Manifest != nil })
		if unread {
			return errors.New("no host was read")
		}
		return err
	})
	if err != nil && !unread {
		return nil, err
	}
	for i := range outcomes {
		o := &outcomes[i]
		if copied == nil || o.Manifest == nil {
			o.Dir = "" // nothing of it was kept
			continue
		}
		o.Dir, o.Host = copied.Dirs[o.Host], replaced(copied, o.Host)
	}
	return outcomes, nil
}
