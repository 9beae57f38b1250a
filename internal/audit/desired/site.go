package desired

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/spelling"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Schema names the format of a site's file.
const Schema = "seaworthy.site/1"

// maxFile bounds a site's file, in bytes.
const maxFile = 4 << 20

// Site is what a site wants.
type Site struct {
	Schema string              `yaml:"schema" json:"schema"`
	Roles  map[string][]string `yaml:"roles,omitempty" json:"roles,omitempty"` // name → patterns of host names
	Wanted []Wanted            `yaml:"wanted" json:"wanted"`

	file string
}

// Wanted are values that some elements should have.
type Wanted struct {
	Name   string            `yaml:"name" json:"name"`     // short, once in a file
	Reason string            `yaml:"reason" json:"reason"` // why, and who says so
	Of     Selector          `yaml:"of" json:"of"`
	Values map[string]string `yaml:"values" json:"values"` // attribute → value, as the platform writes it
	Except []Exception       `yaml:"except,omitempty" json:"except,omitempty"`
}

// Selector says which elements are meant: all that it names must hold. Patterns are those of a shell.
type Selector struct {
	Kind     string `yaml:"kind" json:"kind"`                                 // interface, sea, physical-adapter, tunables, …
	Platform string `yaml:"platform,omitempty" json:"platform,omitempty"`     // aix, vios, linux
	Level    string `yaml:"level,omitempty" json:"level,omitempty"`           // pattern of oslevel -s, ioslevel, kernel release
	Role     string `yaml:"role,omitempty" json:"role,omitempty"`             // of roles
	At       string `yaml:"at,omitempty" json:"at,omitempty"`                 // pattern of HOST:ELEMENT
	VLAN     int    `yaml:"vlan,omitempty" json:"vlan,omitempty"`             // port VLAN or one that is tagged
	SpeedMb  int64  `yaml:"speed_mbit,omitempty" json:"speed_mbit,omitempty"` // of the port below, in Mbit/s
}

// Exception is where a site lives with another value.
type Exception struct {
	At     string `yaml:"at" json:"at"` // pattern of HOST:ELEMENT
	Reason string `yaml:"reason" json:"reason"`
	Until  string `yaml:"until" json:"until"` // the last day on which it holds, as 2027-01-31
}

// Load reads a site's file. What it lacks, or has and should not, is an error that names the entry.
func Load(ctx context.Context, file string) (*Site, error) {
	text, err := decode.Read(ctx, file, maxFile)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	return Parse(file, text)
}

// Parse is Load of a text; name is what messages call it.
func Parse(name string, text []byte) (*Site, error) {
	s := &Site{file: name}
	err := decode.YAML(name, text, s)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	err = decode.Format(s.Schema, Schema, "site init writes a new one")
	if err != nil {
		return nil, fmt.Errorf("site: %s: %w", name, err)
	}
	var errs []error
	seen := map[string]bool{}
	for i := range s.Wanted {
		w := &s.Wanted[i]
		err := w.check(s.Roles)
		if err == nil && seen[w.Name] {
			err = errors.New("the name stands twice")
		}
		seen[w.Name] = true
		if err != nil {
			errs = append(errs, fmt.Errorf("site: %s: wanted %d (%s): %w", name, i+1, w.Name, err))
		}
	}
	return s, errors.Join(errs...)
}

func (w *Wanted) check(roles map[string][]string) error {
	switch {
	case w.Name == "":
		return errors.New("name: want a short one, such as largesend")
	case strings.TrimSpace(w.Reason) == "":
		return errors.New("reason: want why the site has it so")
	case w.Of.Kind == "":
		return errors.New("of: kind: want one, such as interface")
	case len(w.Values) == 0:
		return errors.New("values: want at least one, such as {mtu_bypass: \"on\"}")
	case w.Of.Role != "" && roles[w.Of.Role] == nil:
		return fmt.Errorf("of: role %q: the file's roles do not have it", w.Of.Role)
	}
	for _, pattern := range []string{w.Of.Level, w.Of.At} {
		_, err := path.Match(pattern, "")
		if err != nil {
			return fmt.Errorf("of: %q: %w", pattern, err)
		}
	}
	if w.Of.Platform != "" && !slices.Contains([]model.Platform{model.AIX, model.VIOS, model.Linux}, model.Platform(w.Of.Platform)) {
		return fmt.Errorf("of: platform %q: want aix, vios or linux", w.Of.Platform)
	}
	err := w.checkValues()
	if err != nil {
		return err
	}
	for _, x := range w.Except {
		_, err := path.Match(x.At, "")
		if x.At == "" || err != nil {
			return fmt.Errorf("except: at %q: want a pattern of HOST:ELEMENT", x.At)
		}
		if strings.TrimSpace(x.Reason) == "" {
			return fmt.Errorf("except %s: reason: want why", x.At)
		}
		_, err = x.last()
		if err != nil {
			return err
		}
	}
	return nil
}

// checkValues compares names of attributes with the catalogue: a misspelt one would never be found to drift.
func (w *Wanted) checkValues() error {
	var known []string
	for _, a := range knowledge.BuiltIn().Attributes("") {
		known = append(known, a.Name)
	}
	for name, value := range w.Values {
		if !slices.Contains(known, name) {
			return fmt.Errorf("values: %s: no such attribute%s (see seaworthy attributes ls)", name, spelling.DidYouMean(name, known))
		}
		if value == "" {
			return fmt.Errorf("values: %s: want a value", name)
		}
	}
	return nil
}

// last is the first moment at which an exception no longer holds.
func (x *Exception) last() (time.Time, error) {
	day, err := time.ParseInLocation(time.DateOnly, x.Until, time.Local)
	if err != nil {
		return time.Time{}, fmt.Errorf("except %s: until %q: want the last day, such as 2027-01-31", x.At, x.Until)
	}
	return day.AddDate(0, 0, 1), nil
}
