package command

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Described are subcommands as text files describe them, by path: "bench run". A file
// has a part for each, which reads as its --help does:
//
//	# bench run --from HOST --to HOST
//	Measure a path as it is
//
//	Run measures every workload several times in random order.
//
//	Examples:
//	  seaworthy bench run --from lpar1 --to lpar2
//
//	Flags:
//	  -o, --output  save the complete result to this `file` (JSON)
//
// The part "flags" has those that several commands have alike. A flag whose name ends in *
// takes its value whole, commas too.
type Described map[string]*described

type described struct {
	cobra.Command
	flags map[string]flag
}

type flag struct {
	short, usage string
	whole        bool
}

// Flags are where the values of flags go; what is there before is the default.
type Flags map[string]any

// And are these flags and those of another group.
func (f Flags) And(more Flags) Flags {
	maps.Copy(f, more)
	return f
}

// Describe reads the files of a folder; words replaces what is in braces.
func Describe(files fs.FS, words *strings.Replacer) (Described, error) {
	names, err := fs.Glob(files, "*/*.txt")
	all := Described{}
	for _, name := range names {
		text, failed := fs.ReadFile(files, name)
		if failed != nil {
			return nil, failed
		}
		for part := range strings.SplitSeq("\n"+words.Replace(string(text)), "\n# ") {
			if part != "\n" && part != "" {
				all.add(strings.TrimSpace(part))
			}
		}
	}
	return all, err
}

var (
	pathOf = regexp.MustCompile(`^[a-z-]+( [a-z][a-z-]*)*`)
	flagOf = regexp.MustCompile(`(?m)^  (?:-(\w), )?--([a-z-]+)(\*?)  (.*)$`)
)

func (d Described) add(part string) {
	x := &described{flags: map[string]flag{}}
	part, flags, _ := strings.Cut(part, "\n\nFlags:\n")
	part, x.Example, _ = strings.Cut(part, "\n\nExamples:\n")
	part, x.Long, _ = strings.Cut(part, "\n\n")
	part, x.Short, _ = strings.Cut(part, "\n")
	for _, m := range flagOf.FindAllStringSubmatch(flags, -1) {
		x.flags[m[2]] = flag{m[1], m[4], m[3] != ""}
	}
	path := pathOf.FindString(part)
	x.Use = part[strings.LastIndexByte(path, ' ')+1:]
	d[path] = x
}

// Command makes the command of a path. Its arguments are as many as its first line has.
// One without a description, or a flag without one, is a mistake in the program.
func (d Described) Command(path string, flags Flags, run func(c *cobra.Command, argv []string) error) *cobra.Command {
	x := d[path]
	c := &cobra.Command{Use: x.Use, Short: x.Short, Long: x.Long, Example: x.Example, RunE: run, Args: arguments(x.Use)}
	for name, value := range flags {
		f, own := x.flags[name]
		if !own {
			f = d["flags"].flags[name]
		}
		if f.usage == "" {
			panic(fmt.Sprintf("%s --%s is not described", path, name))
		}
		f.add(c.Flags(), name, value)
	}
	for name := range x.flags {
		if flags[name] == nil {
			panic(fmt.Sprintf("%s --%s is described but does not exist", path, name))
		}
	}
	return c
}

func (f flag) add(to *pflag.FlagSet, name string, value any) {
	switch v := value.(type) {
	case *string:
		to.StringVarP(v, name, f.short, *v, f.usage)
	case *bool:
		to.BoolVarP(v, name, f.short, *v, f.usage)
	case *int:
		to.IntVarP(v, name, f.short, *v, f.usage)
	case *uint64:
		to.Uint64VarP(v, name, f.short, *v, f.usage)
	case *float64:
		to.Float64VarP(v, name, f.short, *v, f.usage)
	case *time.Duration:
		to.VarP(Duration(v), name, f.short, f.usage)
	case pflag.Value:
		to.VarP(v, name, f.short, f.usage)
	case *[]int:
		to.IntSliceVarP(v, name, f.short, *v, f.usage)
	case *[]string:
		if f.whole {
			to.StringArrayVarP(v, name, f.short, *v, f.usage)
			return
		}
		to.StringSliceVarP(v, name, f.short, *v, f.usage)
	default:
		panic(fmt.Sprintf("--%s: a flag cannot be a %T", name, value))
	}
}

// arguments are those of a usage line: those in brackets may be left out, "..." is any
// number more.
func arguments(use string) cobra.PositionalArgs {
	least, most, depth := 0, 0, 0
	for _, word := range strings.Fields(use)[1:] {
		if strings.ContainsAny(word[:1], "-(|") {
			break
		}
		depth += strings.Count(word, "[")
		if depth == 0 {
			least++
		}
		depth -= strings.Count(word, "]")
		most++
		if strings.HasSuffix(word, "...") {
			return Args(cobra.MinimumNArgs(least))
		}
	}
	return Args(cobra.RangeArgs(least, most))
}
