package importer

import (
	"path"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// What an output weighs when the platform of its host is decided.
const (
	weightName  = 50 // uname -a, oslevel and their like name the system
	weightTyped = 6  // the command line is known as well as the shape
	weightRead  = 4  // a codec reads it
	weightShape = 2  // only its shape is known
	weightCould = 1  // the shape could be another system's too
	mostCould   = 3  // all of the last together: a hundred of them prove no more than a few
)

// namesSystem are the outputs that say which system printed them, or that no other system has.
var namesSystem = map[string]bool{"uname-a": true, "oslevel-s": true, "oslevel": true, "ioslevel": true, "os-release": true,
	"nmon-linux": true, "nmon-aix": true, "sar-net": true, "node-exporter": true, "dmesg": true}

// couldBeOthers are the outputs whose shape other systems and programs print as well: twelve digits, lines
// of "key: text", a table of sockets.
var couldBeOthers = map[string]bool{
	"netstat-an": true, "uname-m": true, "uname-M": true, "uname-L": true, "arp-an": true, "no-a": true, "no-o": true,
	"lsdev": true, "lsdev-Cc-if": true, "lsdev-Cc-adapter": true, "lsattr-Rl": true, "netstat-s": true, "ping": true,
}

// bothHave are those of them that Linux and AIX print for the same command line.
var bothHave = map[string]bool{"netstat-an": true, "netstat-s": true, "arp-an": true, "ping": true, "uname-m": true}

// vote holds what one kind of output says about the platform of its host.
type vote struct {
	family registry.Family
	kind   string
	weight int
	id     string
	first  string // where the first of these outputs is
}

// votes weighs the outputs of a host, each kind once.
func votes(parts []*part) []vote {
	var list []vote
	seen := map[string]bool{}
	for _, p := range parts {
		f := p.found
		if f.Family == "" || f.ID == otherID || p.foreign {
			continue
		}
		id := string(f.Family) + f.ID
		if seen[id] {
			continue
		}
		seen[id] = true
		if tool := toolOf(p.file.path); tool != "" && !seen[tool] {
			seen[tool] = true
			list = append(list, vote{registry.Linux, tool, weightName, tool, p.file.path})
		}
		v := vote{f.Family, f.Kind, weightShape, f.ID, from(p)}
		switch {
		case namesSystem[f.ID]:
			v.weight = weightName
		case couldBeOthers[f.ID] && (p.Command == "" || bothHave[f.ID]):
			v.weight = weightCould
		case p.Command != "":
			v.weight = weightTyped
		case f.Known:
			v.weight = weightRead
		}
		list = append(list, v)
	}
	return list
}

// toolOf is the support tool of Linux in whose folder a file lies; empty if it lies in none.
func toolOf(file string) string {
	switch {
	case sosFolder.MatchString(file):
		return "sosreport"
	case supportName.MatchString(path.Base(path.Dir(file))):
		return "supportconfig"
	}
	return ""
}

// system is the operating system that a vote is for: a VIOS runs AIX.
func (v vote) system() registry.Family {
	if v.family == registry.VIOS {
		return registry.AIX
	}
	return v.family
}

// countVotes sums the votes for each system. Those that could be another system's count up to mostCould.
func countVotes(list []vote) map[registry.Family]int {
	sums, could := map[registry.Family]int{}, map[registry.Family]int{}
	for _, v := range list {
		system := v.system()
		if v.weight == weightCould {
			could[system]++
			if could[system] > mostCould {
				continue
			}
		}
		sums[system] += v.weight
	}
	return sums
}

// decidePlatform decides the platform of a host by the votes of all its outputs together.
// A VIOS runs AIX: what only a VIOS prints decides between those two.
func decidePlatform(list []vote) string {
	sums := countVotes(list)
	best := registry.Family(model.Unknown)
	for _, f := range []registry.Family{registry.AIX, registry.Linux, registry.HMC} {
		if sums[f] > sums[best] {
			best = f
		}
	}
	if !slices.ContainsFunc(list, func(v vote) bool { return v.id != "netstat-an" }) {
		best = registry.Family(model.Unknown) // Linux and AIX print the same
	}
	if best == registry.AIX && slices.ContainsFunc(list, func(v vote) bool { return v.family == registry.VIOS }) {
		best = registry.VIOS
	}
	return string(best)
}

// onlyAIX are outputs that no Linux host prints: on one they are another program's text.
func onlyAIX(p *part) bool {
	f := p.found
	if f.Family != registry.AIX && f.Family != registry.VIOS {
		return false
	}
	for _, program := range []string{"lsdev", "lsattr", "lscfg", "uname", "no", "entstat", "oslevel", "ioslevel", "seastat", "prtconf"} {
		if f.ID == program || strings.HasPrefix(f.ID, program+"-") {
			return true
		}
	}
	return false
}

// setForeignApart marks the outputs of another platform among those of a host. Their texts are kept
// and not evaluated.
func setForeignApart(parts []*part, platform string) {
	if platform != string(registry.Linux) {
		return
	}
	for _, p := range parts {
		if onlyAIX(p) {
			p.foreign = true
			p.Warnings = append(p.Warnings, "kept, not evaluated: it has the shape of "+p.found.Kind+" of AIX, and the host runs Linux")
		}
	}
}
