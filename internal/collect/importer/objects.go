package importer

import (
	"path"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// addsUp are the outputs of which several add up: ip addr, ip link and ip -s link, of all devices or of some. The
// inventory takes each value from the last that has it.
var addsUp = map[string]bool{"ip-addr": true, "ip-addr-text": true, "ip-link": true, "ip-brief": true, "ethtool-other": true}

// joins reports whether two outputs of one kind are parts of one reading.
func joins(p, q *part) bool {
	kept := !p.found.Known && !q.found.Known && p.found.Command != q.found.Command // ip -4 rule and ip -6 rule
	return kept || addsUp[p.found.ID] || detect.Repeats(p.found.ID) || partial(p, q) || objects(p) != objects(q) || filterOf(p) != filterOf(q)
}

// filterOf is what a command line says that is left of the output: "grep -i error". Empty where it is the whole output.
func filterOf(p *part) string {
	_, filter, _ := strings.Cut(p.Command, "|")
	return strings.Join(strings.Fields(filter), " ")
}

// objects are the operands of an output's command line, apart from the program and its options: what it was asked
// about. Empty where no command line is known.
func objects(p *part) string {
	line := p.Command
	if p.found.Element != "" || detect.ParseCommand(line).ID != p.found.ID {
		return ""
	}
	if end := strings.IndexAny(line, "|;>&"); end >= 0 {
		line = line[:end]
	}
	var operands []string
	for i, w := range strings.Fields(line) {
		if i > 0 && !strings.HasPrefix(w, "-") {
			operands = append(operands, w)
		}
	}
	return strings.Join(operands, " ")
}

var (
	earlyWord = parse.Lazy(`^(?:before|pre|old|vorher|avant|start|first|baseline)$`)
	lateWord  = parse.Lazy(`^(?:after|post|new|nachher|apres|end|last|second)$`)
)

// phase is which of two readings the name of a file or of its folder says: -1 the earlier, 1 the later, 0 neither.
func phase(f *file) int {
	for _, name := range []string{path.Base(f.path), path.Base(path.Dir(f.path))} {
		words := nameWord.Regexp().FindAllString(strings.ToLower(ending.ReplaceAllString(name, "")), -1)
		switch {
		case slices.ContainsFunc(words, earlyWord.MatchString):
			return -1
		case slices.ContainsFunc(words, lateWord.MatchString):
			return 1
		}
	}
	return 0
}

// byPhase takes out of one reading what its files' names put before another output of the same: the folder of before.txt
// and after.txt holds two readings.
func byPhase(parts []*part) [][]*part {
	later := map[string]bool{}
	for _, p := range parts {
		if phase(p.file) >= 0 {
			later[slot(p)] = true
		}
	}
	var before, rest []*part
	for _, p := range parts {
		if phase(p.file) < 0 && later[slot(p)] {
			before = append(before, p)
		} else {
			rest = append(rest, p)
		}
	}
	if len(before) == 0 {
		return [][]*part{parts}
	}
	return [][]*part{before, rest}
}
