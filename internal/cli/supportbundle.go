package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect/redact"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// bundle is what support-bundle packs, and prints as JSON without the texts.
type bundle struct {
	File  string       `json:"file"`
	Files []bundleFile `json:"files"`

	redactor *redact.Redactor
}

type bundleFile struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
	text  []byte
}

func (a *app) supportBundle() *cobra.Command {
	var out string
	return a.command("support-bundle", command.Flags{
		"output": &out,
	}, func(c *cobra.Command, _ []string) error {
		if out == "" {
			out = time.Now().Format("seaworthy-support-20060102-150405.tar.gz")
		}
		b, err := a.bundle(c.Context(), out)
		if err != nil {
			return fmt.Errorf("support-bundle: %w", err)
		}
		return a.Answer(b, func(p *report.Document) { addBundle(p, b) })
	})
}

func (a *app) bundle(ctx context.Context, out string) (*bundle, error) {
	secret := make([]byte, 32)
	rand.Read(secret)
	key, err := redact.NewKey(secret)
	if err != nil {
		return nil, err
	}
	b := &bundle{File: out, Files: []bundleFile{}, redactor: redact.New(key)}
	if u, err := user.Current(); err == nil {
		b.learnUser(u.Username) // it is part of paths
	}
	journals, err := a.journals()
	if err != nil {
		return nil, err
	}
	runs, err := journals.Runs(ctx)
	if err != nil {
		return nil, err
	}
	if len(runs) > 0 {
		a = a.reaching(&runs[0])
	}
	inventory, err := a.redactedInventory(ctx, b)
	if err != nil { // that it cannot be read may be the bug
		inventory = []byte("# " + b.redactor.String(err.Error()) + "\n")
	}
	if err := b.environment(); err != nil {
		return nil, err
	}
	b.add("inventory.yaml", inventory)
	if len(runs) > 0 {
		if err := b.run(ctx, journals, runs[0].ID); err != nil {
			return nil, err
		}
	}
	return b, b.write()
}

func (b *bundle) environment() error {
	e := map[string]any{
		"build": command.Built(), "ssh_agent": os.Getenv("SSH_AUTH_SOCK") != "", "locale": os.Getenv("LC_ALL") + os.Getenv("LANG"),
	}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		e["kernel"] = strings.TrimSpace(string(kernel))
	}
	text, err := json.MarshalIndent(e, "", "  ")
	b.add("environment.json", append(text, '\n'))
	return err
}

// redactedInventory gives the hosts of the inventory with their names, users
// and addresses replaced, which the redactor learns.
func (a *app) redactedInventory(ctx context.Context, b *bundle) ([]byte, error) {
	inv, err := a.hostsFile(ctx)
	if err != nil || inv == nil {
		return nil, err
	}
	for name, e := range inv.Hosts {
		for _, word := range []string{name, e.Address, e.Via} {
			b.redactor.LearnName(word)
		}
		b.learnUser(e.User)
	}
	redacted := map[string]targets.Entry{}
	for name, e := range inv.Hosts {
		redacted[b.redactor.String(name)] = targets.Entry{Address: b.redactor.String(e.Address), User: b.redactor.String(e.User),
			Via: b.redactor.String(e.Via), Port: e.Port, Platform: e.Platform}
	}
	return yaml.Marshal(map[string]any{"hosts": redacted})
}

// learnUser takes a user's name, unless it is one that says nothing.
func (b *bundle) learnUser(name string) {
	if !slices.Contains([]string{"", "root", "padmin"}, name) {
		b.redactor.LearnName(name)
	}
}

// run packs the plan and the journal of a run, without what identifies
// its hosts.
func (b *bundle) run(ctx context.Context, journals execute.Journals, id string) error {
	_, p, err := journals.Load(ctx, id)
	if err != nil {
		b.add("run/error.txt", []byte(b.redactor.String(err.Error())+"\n"))
		return nil
	}
	for _, name := range p.AllHosts() {
		b.redactor.LearnName(name)
	}
	p.KnownBy = nil
	plan, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	b.add("run/plan.json", b.redactor.Text("", plan))
	journal, err := os.ReadFile(filepath.Join(journals.Dir, id, "journal.jsonl"))
	if err != nil {
		return err
	}
	b.add("run/journal.jsonl", b.redactor.Text("", journal))
	return nil
}

func (b *bundle) add(name string, text []byte) {
	b.Files = append(b.Files, bundleFile{Name: name, Bytes: len(text), text: text})
}

func (b *bundle) write() error {
	var buf bytes.Buffer
	zip := gzip.NewWriter(&buf)
	archive := tar.NewWriter(zip)
	for _, f := range b.Files {
		head := &tar.Header{Name: "seaworthy-support/" + f.Name, Mode: 0o600, Size: int64(f.Bytes), ModTime: time.Now()}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		return err
	}
	return fileio.Write(b.File, buf.Bytes())
}

// addBundle lists the files of a bundle.
func addBundle(d *report.Document, b *bundle) {
	t := doc.NewTable("files", doc.Left("file"), doc.Right("bytes"))
	for _, f := range b.Files {
		t.Add(f.Name, f.Bytes)
	}
	d.Table(t)
	d.Line("written to %s", b.File)
}
