package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Release is what is built, from which source.
type Release struct {
	Version    string // semantic, without v: 0.1.0; of a source that is not released 0.1.0-dev+0123abcd
	Maintainer string
	Dir        string // that the files are written to
	Key        string // SSH key that signs; may be empty

	commit time.Time // of the source: the only time that goes into a file
	notes  string    // the version's section of CHANGELOG.md
}

var (
	semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	heading  = regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) \((.+)\)$`)
)

// readSource finds out the version and the time of the source. A version that is asked for must be the one on top of
// CHANGELOG.md, with its date, and the source must be committed.
func (r *Release) readSource(ctx context.Context) error {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return fmt.Errorf("%w: run this in the repository's root", err)
	}
	top, date, notes, err := latest(string(text))
	if err != nil {
		return err
	}
	r.notes = notes
	head, err := output(ctx, "git", "log", "-1", "--format=%ct %h")
	if err != nil {
		return err
	}
	seconds, short, _ := strings.Cut(strings.TrimSpace(head), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("git log: %q: %w", head, err)
	}
	r.commit = time.Unix(unix, 0).UTC()
	changed, err := output(ctx, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if r.Version == "" {
		r.Version = top + "-dev+" + short
		if changed != "" {
			r.Version += ".changed"
		}
		return nil
	}
	return r.check(top, date, changed)
}

// check says what keeps a version from being released.
func (r *Release) check(top, date, changed string) error {
	_, err := time.Parse(time.DateOnly, date)
	switch {
	case !semantic.MatchString(r.Version):
		return fmt.Errorf("version %s: expected one as 0.1.0", r.Version)
	case r.Version != top:
		return fmt.Errorf("version %s: CHANGELOG.md begins with %s", r.Version, top)
	case err != nil:
		return fmt.Errorf("version %s: CHANGELOG.md says %q: write the date of the release, as (2026-01-02)", r.Version, date)
	case changed != "":
		return errors.New("the source has changes that are not committed: a release is made of a commit")
	}
	return nil
}

// latest is the version that a changelog begins with, what stands in brackets behind it, and its section.
func latest(changelog string) (version, date, notes string, err error) {
	all := heading.FindAllStringSubmatchIndex(changelog, 2)
	if len(all) == 0 {
		return "", "", "", errors.New(`CHANGELOG.md has no heading such as "## 0.1.0 (2026-01-02)"`)
	}
	first := all[0]
	end := len(changelog)
	if len(all) > 1 {
		end = all[1][0]
	}
	return changelog[first[2]:first[3]], changelog[first[4]:first[5]], strings.TrimSpace(changelog[first[1]:end]) + "\n", nil
}
