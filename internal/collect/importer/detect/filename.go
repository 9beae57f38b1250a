package detect

import (
	"path"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// nameWords cut a file's name where people put a mark between words.
var nameWords = parse.Lazy(`[-_. ,+@~()\[\]]+`)

// fromName reads a file's name as if it were a command line without blanks:
// lsattr-El.en0.txt, host1_entstat_d_ent3.out. It is a hint and no more.
func fromName(name string) Call {
	base := path.Base(name)
	c := spelledOut(base)
	words := nameWords.Regexp().Split(base, -1)
	for i, w := range words {
		if !IsProgram(w) || c.ID != "" || len(w) < 2 {
			continue
		}
		line := w
		for _, x := range words[i+1:] {
			if device.MatchString(x) {
				line += " " + x
			} else if len(x) > 0 && len(x) < 12 {
				line += " -" + x
			}
		}
		c = ParseCommand(line)
	}
	for _, w := range slices.Backward(words) {
		if c.Element == "" && adapterName.MatchString(w) {
			c.Element = w
		}
	}
	if m := choiceName.FindStringSubmatch(base); m != nil && c.Program == "lsattr" {
		c.ID, c.Element, c.Attribute = "lsattr-Rl", m[1], m[2]
	}
	if l0.MatchString(base) && c.Element == "" {
		c.Element = "lo0"
	}
	return c
}

// spelledOut is the command line of a name that has its blanks as underscores and its options as they are:
// lshwres_-r_virtualio_--rsubtype_eth.txt.
func spelledOut(base string) Call {
	if at := strings.LastIndexByte(base, '.'); at > 0 && len(base)-at <= 4 {
		base = base[:at]
	}
	words := strings.FieldsFunc(base, func(c rune) bool { return c == '_' || c == ' ' })
	for i, w := range words {
		if i+1 < len(words) && IsProgram(w) && strings.HasPrefix(words[i+1], "-") {
			return ParseCommand(strings.Join(words[i:], " "))
		}
	}
	return Call{}
}

var (
	adapterName = parse.Lazy(`^(?:ent|en|et|lo|eth|bond|ib)[0-9]{1,5}$`)
	// lsattr-Rl.ent0.max_buf_small.txt, lsattr_R_ent0_buf_mode
	choiceName = parse.Lazy(`lsattr[-_. ]*E?Rl?[-_. ]+((?:ent?|et)[0-9]{1,5})[-_. ]+(?:a[-_. ]+)?([a-z][a-z0-9_]{2,40}?)(?:\.[a-z]{1,5})?$`)
	l0         = parse.Lazy(`(?:^|[-_.])l0(?:[-_.]|$)`)
)
