package support

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/collect/redact"
	"seaworthy/internal/remote/targets"
)

// Bundle holds what was packed. As JSON it goes without the texts.
type Bundle struct {
	File  string `json:"file"`
	Files []File `json:"files"`

	redactor *redact.Redactor
}

// File is a file of a bundle.
type File struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
	text  []byte
}

// Pack packs the environment, the hosts file and the last run into the archive
// out, without what identifies hosts or users. build is kept as it is.
func Pack(ctx context.Context, access fleet.Access, out string, build any) (*Bundle, error) {
	secret := make([]byte, 32)
	rand.Read(secret)
	key, err := redact.NewKey(secret)
	if err != nil {
		return nil, err
	}
	b := &Bundle{File: out, Files: []File{}, redactor: redact.New(key)}
	u, err := user.Current()
	if err == nil {
		b.learnUser(u.Username) // it is part of paths
	}
	journals, err := access.Journals()
	if err != nil {
		return nil, err
	}
	runs, err := journals.Runs(ctx)
	if err != nil {
		return nil, err
	}
	if len(runs) > 0 {
		access = access.Of(&runs[0])
	}
	hosts, err := b.redactedHosts(ctx, access)
	if err != nil { // that it cannot be read may be the bug
		hosts = []byte("# " + b.redactor.String(err.Error()) + "\n")
	}
	err = b.environment(build)
	if err != nil {
		return nil, err
	}
	b.add("inventory.yaml", hosts)
	if len(runs) > 0 {
		err = b.run(ctx, journals, runs[0].ID)
		if err != nil {
			return nil, err
		}
	}
	return b, b.write()
}

func (b *Bundle) environment(build any) error {
	e := map[string]any{
		"build": build, "ssh_agent": os.Getenv("SSH_AUTH_SOCK") != "", "locale": b.harmless("", os.Getenv("LC_ALL")+os.Getenv("LANG")),
	}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		e["kernel"] = b.harmless("uname-a", strings.TrimSpace(string(kernel))) // a kernel that a site built has its name
	}
	text, err := json.MarshalIndent(e, "", "  ")
	b.add("environment.json", append(text, '\n'))
	return err
}

// harmless replaces in a setting of this machine, or in what an output of it says.
func (b *Bundle) harmless(output, s string) string { return string(b.redactor.Text(output, []byte(s))) }

// redactedHosts returns the hosts file with names, users and addresses replaced,
// which the redactor learns.
func (b *Bundle) redactedHosts(ctx context.Context, access fleet.Access) ([]byte, error) {
	inv, err := access.Targets(ctx)
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
func (b *Bundle) learnUser(name string) {
	if !slices.Contains([]string{"", "root", "padmin"}, name) {
		b.redactor.LearnName(name)
	}
}

// run packs the plan and the journal of a run, without what identifies
// its hosts.
func (b *Bundle) run(ctx context.Context, journals execute.Journals, id string) error {
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

func (b *Bundle) add(name string, text []byte) {
	b.Files = append(b.Files, File{Name: name, Bytes: len(text), text: text})
}

func (b *Bundle) write() error {
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
