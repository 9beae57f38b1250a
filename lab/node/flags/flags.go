// Package flags reads command lines as getopt and ioscli do.
package flags

import (
	"fmt"
	"slices"
	"strings"
)

// Option is one flag of a command line, with its argument.
type Option struct{ Name, Value string }

// Options are the flags given, in order, and the operands behind them. Of a
// command line that could not be read they are nil, and no flag was given.
type Options struct {
	List []Option
	Rest []string
}

// Has says whether a flag was given.
func (o *Options) Has(name string) bool {
	_, ok := o.Get(name)
	return ok
}

// Get is the argument of a flag; false if it was not given.
func (o *Options) Get(name string) (string, bool) {
	if o == nil {
		return "", false
	}
	for _, x := range o.List {
		if x.Name == name {
			return x.Value, true
		}
	}
	return "", false
}

// Value is the argument of a flag; empty if it was not given.
func (o *Options) Value(name string) string {
	v, _ := o.Get(name)
	return v
}

// All are the arguments of a flag that may be given several times.
func (o *Options) All(name string) []string {
	var out []string
	for _, x := range o.List {
		if x.Name == name {
			out = append(out, x.Value)
		}
	}
	return out
}

// UsageError is a command line that AIX answers with its usage.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// TooMany is the error of operands that a command does not take.
func TooMany(rest []string) error { return Usagef("too many parameters: %s", strings.Join(rest, " ")) }

// Letters reads single-letter flags as getopt does: spec "El:a:" has E alone
// and l and a with an argument, joined to the flag or the next word.
func Letters(spec string, args []string) (*Options, error) {
	o := &Options{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			o.Rest = append(o.Rest, args[i+1:]...)
			return o, nil
		}
		if len(a) < 2 || a[0] != '-' {
			o.Rest = append(o.Rest, args[i:]...)
			return o, nil
		}
		for j := 1; j < len(a); j++ {
			f := a[j]
			k := strings.IndexByte(spec, f)
			if f == ':' || k < 0 {
				return nil, Usagef("there is no flag -%c", f)
			}
			if k+1 >= len(spec) || spec[k+1] != ':' {
				o.List = append(o.List, Option{Name: string(f)})
				continue
			}
			v := a[j+1:]
			if v == "" {
				i++
				if i >= len(args) {
					return nil, Usagef("flag -%c needs a value", f)
				}
				v = args[i]
			}
			o.List = append(o.List, Option{string(f), v})
			break
		}
	}
	return o, nil
}

// Words reads flags of the ioscli form: -dev X -attr A=V B=W -perm. Of "-perm
// -dev: -attr*" the first takes nothing, the second a word, the third all words
// up to the next flag.
func Words(spec string, args []string) (*Options, error) {
	known := strings.Fields(spec)
	o := &Options{}
	for i := 0; i < len(args); i++ {
		f := args[i]
		word := func() bool { return i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") }
		switch {
		case !strings.HasPrefix(f, "-"):
			o.Rest = append(o.Rest, f)
		case slices.Contains(known, f), slices.Contains(known, f+"*") && !word():
			o.List = append(o.List, Option{Name: f[1:]})
		case slices.Contains(known, f+"*"):
			for ; word(); i++ {
				o.List = append(o.List, Option{f[1:], args[i+1]})
			}
		case !slices.Contains(known, f+":"):
			return nil, Usagef("there is no flag %q", f)
		case !word():
			return nil, Usagef("flag %q needs a value", f)
		default:
			i++
			o.List = append(o.List, Option{f[1:], args[i]})
		}
	}
	return o, nil
}
