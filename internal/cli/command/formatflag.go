package command

import (
	"slices"

	"github.com/spf13/cobra"
)

// formatFlag takes -f. It remembers each value, for a command that reads a file by -f, too.
type formatFlag struct {
	all  []string
	last *string // the output format; the last one given counts
}

func (f *formatFlag) String() string {
	if f.last == nil {
		return ""
	}
	return *f.last
}

func (f *formatFlag) Type() string { return "string" }

// Set takes a value.
func (f *formatFlag) Set(value string) error {
	f.all = append(f.all, value)
	*f.last = value
	return nil
}

// divide tells output formats from the name of a file: what is not a format is the file.
func (f *formatFlag) divide(formats []string, format, file *string) {
	*format = "table"
	for _, value := range f.all {
		if slices.Contains(formats, value) {
			*format = value
			continue
		}
		*file = value
	}
}

// ReadsFile lets a command read a file by -f, which names the output format everywhere: seaworthy drift -f site.yaml -f json.
func (a *App) ReadsFile(c *cobra.Command, file *string) *cobra.Command {
	a.files[c] = file
	return c
}
