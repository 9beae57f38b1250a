package importer

import (
	"fmt"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// key makes one of lpar1, LPAR1 and lpar1.example.com, but not of aix-7.2 and
// aix-7.3: what follows a host's name is a domain only if it ends like one.
func key(host string) string {
	low := strings.ToLower(host)
	if domain.MatchString(low) {
		low, _, _ = strings.Cut(low, ".")
	}
	return low
}

func hmc(p *part) bool { return p.found != nil && p.found.Family == registry.HMC }

// takes reports whether an inventory takes anything from an output of this kind, or its platform is decided by it.
func takes(f *detect.Found, text []byte) bool {
	output := assemble.Output{ID: f.ID, Element: f.Element, Command: f.Command, Text: text}
	return namesSystem[f.ID] || logsOfSystem[f.ID] || assemble.Evaluates(output)
}

// evaluated reports whether an output is read and something is taken from it: of a host's own devices, and as
// its platform prints it.
func (p *part) evaluated() bool {
	return p.found.Known && p.taken && !p.foreign && !p.superseded && !p.leftOut && recordOf(p).ID == p.found.ID
}

// slot returns what an output is about: two in one slot are two readings.
func slot(p *part) string {
	return p.found.ID + "\x00" + p.found.Element + "\x00" + p.found.Attribute + "\x00" + p.found.Namespace
}

// partial reports whether one of two outputs is only a part of what the other says:
// ifconfig en0 beside ifconfig -a. Both are kept.
func partial(p, q *part) bool {
	return p.Lines*3 < q.Lines*2 || q.Lines*3 < p.Lines*2
}

func from(p *part) string { return fmt.Sprintf("%s:%d", p.file.path, p.Line) }

var domain = parse.Lazy(`^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z]{2,}$`)

// firstWord is the first word of a text, of its beginning.
func firstWord(text []byte) string {
	if w := strings.Fields(string(text[:min(len(text), 1024)])); len(w) > 0 {
		return w[0]
	}
	return ""
}
