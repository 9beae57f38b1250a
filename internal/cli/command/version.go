package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// version is set by the linker (see Makefile); empty otherwise.
var version string

// Build says which program this is.
type Build struct {
	Version  string `json:"version"`            // a tag, or devel
	Revision string `json:"revision,omitempty"` // of the source
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // the source had changes that are in no revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Built asks the linker first, then what the Go tool recorded.
func Built() Build {
	b := Build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Revision = s.Value
			case "vcs.time":
				b.Time = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
		if b.Version == "" && info.Main.Version != "(devel)" {
			b.Version = info.Main.Version
		}
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

// String is one line: seaworthy v1.2.0 (revision 0123456789ab of 2026-01-02, changed, go1.26, linux/ppc64le).
func (b Build) String() string {
	text := "seaworthy " + b.Version + " ("
	if b.Revision != "" {
		text += "revision " + b.Revision[:min(len(b.Revision), 12)]
		if date := b.Date(); date != "" {
			text += " of " + date
		}
		if b.Modified {
			text += ", changed"
		}
		text += ", "
	}
	return text + fmt.Sprintf("%s, %s)", b.Go, b.Platform)
}

// Date is that of the revision, as 2026-01-02; empty: not known.
func (b Build) Date() string {
	if len(b.Time) < len(time.DateOnly) {
		return ""
	}
	return b.Time[:len(time.DateOnly)]
}

// CallerEnv holds Build.ID of a program that runs another of the same release.
const CallerEnv = "SEAWORTHY_CALLER"

// ID names the source that the program was built from. Programs that work
// together must have the same.
func (b Build) ID() string {
	if b.Revision == "" || strings.HasPrefix(b.Revision, b.Version) {
		return b.Version
	}
	return b.Version + " (" + b.Revision[:min(len(b.Revision), 12)] + ")"
}
