package importer

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/collect/importer/split"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// What an output weighs when the platform of its host is decided.
const (
	weightName  = 50 // uname -a, oslevel and their like name the system
	weightLog   = 6  // a log or a monitor's text that only one system has
	weightTyped = 6  // the command line is known as well as the shape
	weightRead  = 4  // a codec reads it
	weightShape = 2  // only its shape is known
	weightCould = 1  // the shape could be another system's too
	weightSure  = 12 // all together from here on leave no doubt, though none names the system
	mostCould   = 3  // all of the last together: a hundred of them prove no more than a few
)

// namesSystem are the outputs that say which system printed them.
var namesSystem = map[string]bool{
	"uname-a": true, "uname-sr": true, "uname": true, "oslevel-s": true, "oslevel": true, "ioslevel": true, "os-release": true,
	"nmon-linux": true, "nmon-aix": true,
	"macos-system": true, "bsd-system": true, "hpux-system": true, "solaris-system": true}

// logsOfSystem are outputs that no other system has, and that are often passed on without the rest.
var logsOfSystem = map[string]bool{"sar-net": true, "node-exporter": true, "dmesg": true}

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
	elsewhere := ofAnotherVIOS(parts)
	for _, p := range parts {
		f := p.found
		if p.ran != "" && !seen[f.Element] {
			seen[f.Element] = true
			list = append(list, vote{p.ran, "command " + f.Element, weightShape, f.Element, from(p)})
		}
		if f.Family == "" || f.ID == otherID || p.foreign || elsewhere != nil && p.file == elsewhere {
			continue
		}
		if p.ofVIOS != "" && !seen[p.ofVIOS] {
			seen[p.ofVIOS] = true
			list = append(list, vote{registry.VIOS, p.ofVIOS, weightRead, p.ofVIOS, from(p)})
		}
		if f.Family == registry.HMC && p.ofVIOS == padminSign { // a VIOS that manages its system itself has the HMC's commands
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
		case logsOfSystem[f.ID]:
			v.weight = weightLog
		case couldBeOthers[f.ID] && f.Family == registry.Find(f.ID).Family && (p.Command == "" || bothHave[f.ID]):
			v.weight = weightCould
		case p.Command != "":
			v.weight = weightTyped
		case f.Known, f.Family.Title() != "":
			v.weight = weightRead
		}
		list = append(list, v)
	}
	return list
}

var (
	// bridges is what AIX's own outputs say of an adapter that only a VIOS has; clients may name theirs in words.
	bridges = parse.Lazy(`(?m)^[ \t]*(?:ent\d+[ \t]+(?:Available|Defined)[^\n]*Shared Ethernet Adapter|` +
		`(?:real_adapter|virt_adapters|pvid_adapter)[ \t])`)
	// ofPadmin is a prompt of the user that only a VIOS has: padmin@vios1, vios1:/home/padmin.
	ofPadmin = parse.Lazy(`(?m)^[^\n#$>%]{0,30}?(?:\bpadmin ?@ ?([A-Za-z][\w.-]*)|\b([A-Za-z][\w.-]*):/home/padmin\b)[^\n]{0,60}?[#$>]|` +
		`^[^\n]{0,80}[#$>%][ \t]*(?:ssh|slogin)[ \t][^\n]{0,40}\bpadmin@([A-Za-z][\w.-]*)`)
)

// viosName is a name that people give to a VIOS, and to nothing else: vios, vios1, vio2a.
var viosName = parse.Lazy(`(?i)^(?:vios|vio(?:s|server)?[-_]?\d{1,3}[a-z]?)$`)

// Signs of a VIOS in a text that AIX prints as well.
const (
	padminSign = "prompt of padmin"
	bridgeSign = "Shared Ethernet Adapter"
	nameSign   = "name of a VIOS"
)

// padminsIn are the keys of the hosts on which a text has prompts of padmin; the empty one is that of prompts without a host, where
// all others are padmin's.
func padminsIn(text []byte, c *split.Cut) map[string]bool {
	if !bytes.Contains(text, []byte("padmin")) {
		return nil
	}
	hosts := map[string]bool{}
	for _, m := range ofPadmin.Regexp().FindAllSubmatch(text, maxListed) {
		hosts[key(string(m[1])+string(m[2])+string(m[3]))] = true
	}
	hosts[""] = len(hosts) == 1 && hosts[key(c.Host)] &&
		!slices.ContainsFunc(c.Pieces, func(p split.Piece) bool { return p.Host != "" && !hosts[key(p.Host)] })
	return hosts
}

// signOfVIOS is what says of an output of AIX that a VIOS printed it; empty if nothing does.
func signOfVIOS(p *part, padmins map[string]bool, text []byte) string {
	switch {
	case p.found == nil || p.found.Family != registry.AIX && p.found.Family != registry.HMC:
		return ""
	case padmins[key(p.prompt)]:
		return padminSign
	case p.found.Family == registry.AIX && bridges.Match(text):
		return bridgeSign
	case p.found.Family == registry.AIX && viosName.MatchString(p.named):
		return nameSign
	}
	return ""
}

// manyOthers is how many files must speak of other adapters before one that tells of a VIOS is another host's.
const manyOthers = 3

// ofAnotherVIOS is the only file that tells of a VIOS where several others speak of adapters, and of none of its own: it
// lies among the files of a client. Nil if there is none.
func ofAnotherVIOS(parts []*part) *file {
	var vios *file
	for _, p := range parts {
		if p.found.Family != registry.VIOS {
			continue
		}
		if vios != nil && vios != p.file {
			return nil
		}
		vios = p.file
	}
	if vios == nil {
		return nil
	}
	own, others := map[string]bool{}, map[*file]bool{}
	for _, p := range parts {
		if p.file == vios {
			maps.Copy(own, p.adapters)
		}
	}
	for _, p := range parts {
		if p.file == vios || len(p.adapters) == 0 {
			continue
		}
		others[p.file] = true
		for a := range p.adapters {
			if own[a] {
				return nil
			}
		}
	}
	if len(own) == 0 || len(others) < manyOthers {
		return nil
	}
	return vios
}

// adapterNumber is the number of an adapter of AIX or of its interface.
var adapterNumber = parse.Lazy(`\bent?(\d+)\b`)

// adaptersIn are the adapters that an output of AIX or VIOS speaks of.
func adaptersIn(f *detect.Found, text []byte) map[string]bool {
	if f.Family != registry.AIX && f.Family != registry.VIOS {
		return nil
	}
	numbers := map[string]bool{}
	if m := adapterNumber.FindStringSubmatch(f.Element); m != nil {
		numbers[m[1]] = true
	}
	for _, m := range adapterNumber.Regexp().FindAllSubmatch(text[:min(len(text), 64<<10)], -1) {
		numbers[string(m[1])] = true
	}
	return numbers
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

// likeliest is the system with most votes, of equals the first of those that are read; unknown without votes.
func likeliest(list []vote) registry.Family {
	sums := countVotes(list)
	best := registry.Family(model.Unknown)
	for _, f := range append([]registry.Family{registry.Linux, registry.AIX, registry.HMC}, registry.Foreign()...) {
		if sums[f] > sums[best] {
			best = f
		}
	}
	return best
}

// foreignSystem is the name of the system that is not read and that most votes are for; empty if it is another.
func foreignSystem(list []vote) string { return likeliest(list).Title() }

// decidePlatform decides the platform of a host by the votes of all its outputs together.
// A VIOS runs AIX: what only a VIOS prints decides between those two. A system that is not read is unknown.
func decidePlatform(list []vote) string {
	best := likeliest(list)
	if best.Title() != "" {
		return string(model.Unknown)
	}
	if !slices.ContainsFunc(list, func(v vote) bool { return v.id != "netstat-an" || v.family == registry.Linux }) {
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

// onlyLinux are outputs that no AIX host prints.
func onlyLinux(p *part) bool {
	if p.found.Family != registry.Linux {
		return false
	}
	programs := []string{"ethtool", "ip-addr", "ip-link", "ip-route", "proc-net", "sys-class-net", "softnet-stat", "nmcli", "ovs"}
	for _, program := range programs {
		if p.found.ID == program || strings.HasPrefix(p.found.ID, program+"-") {
			return true
		}
	}
	return false
}

// doubtful reports whether few outputs speak for a platform, and none of them names it.
func doubtful(list []vote) bool {
	named := slices.ContainsFunc(list, func(v vote) bool { return v.weight == weightName })
	return !named && countVotes(list)[likeliest(list)] < weightSure
}

// notRead says of a system that its outputs are kept and nothing else.
func notRead(system string) string { return "of " + system + ", which seaworthy does not read" }

// setForeignApart marks the outputs of another platform among those of a host. Their texts are kept
// and not evaluated.
func setForeignApart(parts []*part, platform, system string) {
	if platform == string(model.Unknown) && system != "" {
		for _, p := range parts {
			p.foreign = true
			if p.found.Family.Title() == "" && p.found.ID != otherID {
				p.Warnings = append(p.Warnings, "kept, not evaluated: the other outputs of the host are "+notRead(system))
			}
		}
		return
	}
	foreign, of, runs := onlyAIX, "AIX", "Linux"
	switch platform {
	case string(registry.Linux):
	case string(registry.AIX), string(registry.VIOS):
		foreign, of, runs = onlyLinux, "Linux", "AIX"
	default:
		return
	}
	for _, p := range parts {
		if foreign(p) {
			p.foreign = true
			p.Warnings = append(p.Warnings, "kept, not evaluated: it has the shape of "+p.found.Kind+" of "+of+", and the host runs "+runs)
		}
	}
}
