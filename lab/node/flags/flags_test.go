package flags

import (
	"strings"
	"testing"
)

func FuzzLetters(f *testing.F) {
	f.Add("El:a:HF:", "-El en0 -a mtu")
	f.Add("El:", "-l")
	f.Fuzz(func(t *testing.T, spec, line string) {
		args := strings.Fields(line)
		o, err := Letters(spec, args)
		if err == nil && len(o.Rest) > len(args) {
			t.Errorf("%q: got %v left of %v", line, o.Rest, args)
		}
		if o, err := Words("-perm -dev: -attr*", args); err == nil && len(o.Rest) > len(args) {
			t.Errorf("%q: got %v left of %v", line, o.Rest, args)
		}
	})
}

func TestLetters(t *testing.T) {
	for line, want := range map[string]string{
		"-El en0 -a mtu rest": "E= l=en0 a=mtu | rest",
		"-len0 -- -x":         "l=en0 | -x",
		"- x":                 " | - x",
	} {
		o, err := Letters("El:a:", strings.Fields(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := show(o); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{"-x", "-l"} {
		if o, err := Letters("El:", []string{line}); err == nil {
			t.Errorf("%s: got %s, want an error", line, show(o))
		}
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string]string{
		"-dev ent5 -attr a=1 b=2 -perm": "dev=ent5 attr=a=1 attr=b=2 perm= | ",
		"-attr -perm":                   "attr= perm= | ",
	} {
		o, err := Words("-perm -dev: -attr*", strings.Fields(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := show(o); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{"-nosuch", "-dev", "-dev -perm"} {
		if o, err := Words("-perm -dev: -attr*", strings.Fields(line)); err == nil {
			t.Errorf("%s: got %s, want an error", line, show(o))
		}
	}
}

func show(o *Options) string {
	var flags []string
	for _, x := range o.List {
		flags = append(flags, x.Name+"="+x.Value)
	}
	return strings.Join(flags, " ") + " | " + strings.Join(o.Rest, " ")
}
