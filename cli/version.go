package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker (see Makefile); empty otherwise.
var version string

// build says which program this is.
type build struct {
	Version  string `json:"version"`            // a tag, or devel
	Revision string `json:"revision,omitempty"` // of the source
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // the source had changes that are in no revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// built asks the linker first, then what the Go tool recorded.
func built() build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
func (b build) String() string {
	text := "seaworthy " + b.Version + " ("
	if b.Revision != "" {
		text += "revision " + b.Revision[:min(len(b.Revision), 12)]
		if len(b.Time) >= 10 {
			text += " of " + b.Time[:10]
		}
		if b.Modified {
			text += ", changed"
		}
		text += ", "
	}
	return text + fmt.Sprintf("%s, %s)", b.Go, b.Platform)
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say which version this is", Args: args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return a.answer(built(), func() { a.printer().Line("%s", built()) })
		},
	}
}
