package collection

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/collect/redact"
)

// redacting writes redacted copies of snapshots.
type redacting struct {
	keyFile string
	out     string
	replace bool // copies take the place of earlier ones of the same key
	notice  func(format string, args ...any)
}

// redact runs a step that writes snapshots below a folder that does not stay,
// and copies them redacted to out. The folder lies beside out: nothing that was
// not redacted is ever written into it.
func (r redacting) redact(ctx context.Context, step func(dir string) error) (*redact.Copied, error) {
	key, err := redact.LoadKey(r.keyFile, r.out)
	if err != nil {
		return nil, err
	}
	parent := filepath.Dir(filepath.Clean(r.out))
	made, err := fileio.MkdirAll(parent)
	if err != nil {
		return nil, err
	}
	defer made.Undo() // if there is nothing to keep
	dir, done, err := passing(parent)
	if err != nil {
		return nil, err
	}
	defer done()
	err = step(dir)
	if err != nil {
		return nil, err
	}
	copied, err := redact.Folder(context.WithoutCancel(ctx), dir, r.out, key, r.replace) // what was read before an interrupt is kept
	if copied != nil && len(copied.Ambiguous) > 0 {
		r.notice("replaced only where outputs mark them as host names, because they are also ordinary words: %s",
			strings.Join(copied.Ambiguous, ", "))
	}
	if copied != nil && len(copied.LeftOut) > 0 {
		r.notice("left out, as nothing is known of what is in them: %s", strings.Join(copied.LeftOut, ", "))
	}
	return copied, err
}

// passingName begins the name of a folder of what was not redacted yet.
const passingName = ".seaworthy-unredacted-"

// passing makes a folder beside the copies for what was not redacted yet; done removes
// it. One that a killed run left, with names of hosts in it, goes first: no other run
// holds its lock.
func passing(parent string) (dir string, done func(), err error) {
	left, err := filepath.Glob(filepath.Join(parent, passingName+"*"))
	if err != nil {
		return "", nil, err
	}
	for _, old := range left {
		held, err := locked(old)
		if err == nil {
			err = errors.Join(os.RemoveAll(old), held.Close())
		}
		if err != nil && !errors.Is(err, fileio.ErrLocked) && !errors.Is(err, fs.ErrNotExist) {
			return "", nil, fmt.Errorf("%s, which an earlier run left and which is not redacted: %w", old, err)
		}
	}
	dir, err = fileio.MkdirTemp(parent, passingName)
	if err != nil {
		return "", nil, err
	}
	held, err := locked(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.Remove(dir))
	}
	return dir, func() { _ = errors.Join(os.RemoveAll(dir), held.Close()) }, nil
}

// locked takes the lock of a folder for as long as the file is open, or until this
// process ends.
func locked(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	err = fileio.Lock(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Import imports files into the folder out; with a key file, redacted. notice is
// told what a user should know of the redaction.
func Import(ctx context.Context, files []string, out, keyFile string, o importer.Options, notice func(format string, args ...any)) (
	*importer.Result, error,
) {
	if keyFile == "" {
		return importer.Import(ctx, files, out, o)
	}
	var got *importer.Result
	r := redacting{keyFile: keyFile, out: out, notice: notice}
	copied, err := r.redact(ctx, func(dir string) error {
		var err error
		got, err = importer.Import(ctx, files, dir, o)
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
		for k := range h.Decision {
			if c := &h.Decision[k]; c.Of == importer.OfHost {
				c.Name = replacement(copied, c.Name)
			}
		}
	}
	for i := range got.Files {
		f := &got.Files[i]
		f.Host = replacement(copied, f.Host)
		for k := range f.Parts {
			x := &f.Parts[k]
			x.Host = replacement(copied, x.Host)
			for n := range x.Claims {
				x.Claims[n].Name = replacement(copied, x.Claims[n].Name)
			}
		}
	}
	return got, err
}

// replacement returns what became of a host's name, also of its short form.
func replacement(c *redact.Copied, host string) string {
	got, ok := c.Hosts[host]
	if ok || host == "" {
		return got
	}
	for was, got := range c.Hosts {
		if strings.EqualFold(was, host) || strings.HasPrefix(strings.ToLower(was), strings.ToLower(host)+".") {
			return got
		}
	}
	return "(redacted)"
}

// save collects into the folder; with a key file, only the redacted copy is kept.
func (q *Request) save(ctx context.Context, access fleet.Access, c *fleet.Connection) ([]collect.Outcome, error) {
	o := collect.Options{RoundTrips: !q.NoPing, System: q.System, NoRootShell: q.NoRoot}
	if q.RedactKey == "" {
		o.Replace = q.Replace
		return c.Collect(ctx, q.Dir, o)
	}
	var outcomes []collect.Outcome
	unread := false
	r := redacting{keyFile: q.RedactKey, out: q.Dir, replace: q.Replace, notice: access.Notice}
	copied, err := r.redact(ctx, func(dir string) error {
		var err error
		outcomes, err = c.Collect(ctx, dir, o)
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
		o.Dir, o.Host = copied.Dirs[o.Host], replacement(copied, o.Host)
	}
	return outcomes, nil
}
