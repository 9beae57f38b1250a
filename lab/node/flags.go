package node

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

// usageError is a command line that AIX answers with its usage.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

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
				return nil, &usageError{fmt.Sprintf("there is no flag -%c", f)}
			}
			if k+1 >= len(spec) || spec[k+1] != ':' {
				o.List = append(o.List, Option{Name: string(f)})
				continue
			}
			v := a[j+1:]
			if v == "" {
				if i++; i >= len(args) {
					return nil, &usageError{fmt.Sprintf("flag -%c needs a value", f)}
				}
				v = args[i]
			}
			o.List = append(o.List, Option{string(f), v})
			break
		}
	}
	return o, nil
}

// words reads flags of the ioscli form: -dev X -attr A=V B=W -perm. A flag in
// many takes all words up to the next flag, one in one takes one word, one in
// none takes nothing.
func words(none, one, many []string, args []string) (*Options, error) {
	o := &Options{}
	for i := 0; i < len(args); i++ {
		f := strings.TrimPrefix(args[i], "-")
		switch {
		case f == args[i]:
			o.Rest = append(o.Rest, f)
		case slices.Contains(none, f):
			o.List = append(o.List, Option{Name: f})
		case slices.Contains(one, f):
			if i++; i >= len(args) || strings.HasPrefix(args[i], "-") {
				return nil, &usageError{fmt.Sprintf("flag %q needs a value", "-"+f)}
			}
			o.List = append(o.List, Option{f, args[i]})
		case slices.Contains(many, f):
			n := 0
			for i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				i++
				n++
				o.List = append(o.List, Option{f, args[i]})
			}
			if n == 0 {
				o.List = append(o.List, Option{Name: f})
			}
		default:
			return nil, &usageError{fmt.Sprintf("there is no flag %q", "-"+f)}
		}
	}
	return o, nil
}

// usage prints why a command line is wrong and how it should be.
func usage(c *Call, err error, text string) int {
	fmt.Fprintf(c.Stderr, "%s: %v\n\nUsage:\n%s\n", c.Argv[0], err, text)
	return 2
}

// split cuts ATTRIBUTE=VALUE.
func split(s string) (name, value string, err error) {
	name, value, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return "", "", &usageError{fmt.Sprintf("%s is not of the form attribute=value", s)}
	}
	return name, value, nil
}
