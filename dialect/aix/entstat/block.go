package entstat

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
)

// roles are the lines that introduce a member, longest words first.
var roles = []struct {
	words string
	role  Role
}{
	{"Control Channel Adapter", ControlChannel},
	{"Control Adapter", ControlChannel},
	{"Virtual Adapter", VirtualAdapter},
	{"Real Adapter", RealAdapter},
	{"Backup adapter", BackupAdapter},
	{"Primary adapter", "Primary adapter"},
}

// readForeign keeps the sections of devices that are not Ethernet: they look
// alike, and none of their numbers is an Ethernet adapter's.
func (p *parser) readForeign(i int, l *line) bool {
	if kind, name, ok := foreignHeading(l.text); ok {
		f := &Foreign{Kind: kind, Name: name}
		if !p.recognised {
			f.Lines = append(f.Lines, p.lines[:i]...)
			p.parts = nil
		}
		p.recognised, p.foreign, p.path = true, f, p.path[:0]
		p.parts = append(p.parts, Part{Foreign: f})
	}
	if p.foreign != nil && hasPrefixFold(l.text, "ETHERNET STATISTICS") {
		p.foreign = nil
		p.enter(&Statistics{}, 0)
		p.fresh = true
	}
	if p.foreign == nil {
		return false
	}
	p.foreign.Lines = append(p.foreign.Lines, l.raw)
	return true
}

// foreignHeading reads "FIBRE CHANNEL STATISTICS REPORT: fcs0" and
// "TOKEN-RING STATISTICS (tok0) :".
func foreignHeading(text string) (kind, name string, ok bool) {
	if len(text) < 2 || text[0] < 'A' || text[0] > 'Z' || text[1] >= 'a' && text[1] <= 'z' {
		return "", "", false // as nearly all lines
	}
	i := strings.Index(text, " STATISTICS")
	if i < 1 {
		return "", "", false
	}
	kind, rest := text[:i], text[i+len(" STATISTICS"):]
	if kind != strings.ToUpper(kind) || kind == "ETHERNET" || len(kind) > 40 {
		return "", "", false
	}
	if after, found := strings.CutPrefix(rest, " REPORT:"); found {
		return kind, strings.TrimSpace(after), true
	}
	if after, found := strings.CutPrefix(strings.TrimSpace(rest), "("); found {
		name, _, found = strings.Cut(after, ")")
		return kind, name, found
	}
	return "", "", false
}

// readBlock reads the lines at which the statistics of an adapter start.
func (p *parser) readBlock(l *line) bool {
	switch l.text[0] | 0x20 {
	case 'e':
		if hasPrefixFold(l.text, "ETHERNET STATISTICS") {
			p.readName(l)
			return true
		}
	case 'd':
		if label, _, found := strings.Cut(l.text, ":"); found && sameLabel(label, "Device Type") {
			p.fresh = false
			if !p.recognised {
				p.recognised = true
			} else if p.current().device != nil {
				p.start("", l)
				p.report.Warn(l.number, "the statistics of another adapter start without a heading")
			}
		}
	case 'b', 'c', 'p', 'r', 'v':
		return p.readRole(l)
	}
	return false
}

// readName reads "ETHERNET STATISTICS (ent4) :".
func (p *parser) readName(l *line) {
	from, to := strings.IndexByte(l.text, '('), strings.IndexByte(l.text, ')')
	name := ""
	if from > 0 && to > from {
		name = strings.TrimSpace(l.text[from+1 : to])
	}
	p.start(name, l)
	p.begin(l)
	if name == "" {
		return
	}
	p.current().Name = name
	p.spot(nil, partName, l.at+from+strings.Index(l.text[from:], name), len(name))
	p.finish(l)
}

// start finds the place of an adapter that no line announced: the one a line
// above announced by name, a member of an EtherChannel that has not printed all
// its members, or a device of its own.
func (p *parser) start(name string, l *line) {
	if !p.recognised || p.fresh {
		p.recognised, p.fresh = true, false
		return
	}
	s := p.current()
	if s.Empty() && s.Name == "" && s.RoleName != "" && (name == "" || sameDevice(name, s.RoleName)) {
		return
	}
	for i := len(p.path) - 1; i >= 0; i-- {
		if c := p.path[i]; c.channel && (c.announce > uint64(len(c.Members)) || c.announce == 0 && !p.all) {
			p.enter(&Statistics{}, i+1)
			return
		}
	}
	if p.all {
		p.enter(&Statistics{}, 0)
		return
	}
	top := p.path[0]
	if !top.bridge && !top.channel && p.err == nil {
		p.err = fmt.Errorf("line %d: the statistics of another device (%s) follow those of %s, read them with ParseAll: %w",
			l.number, name, top.Adapter(), dialect.ErrNotRecognised)
	}
	p.report.Warn(l.number, "no line says what "+name+" is to "+top.Adapter())
	p.enter(&Statistics{}, 1)
}

// sameDevice compares entN with the enN or etN that stands on it.
func sameDevice(a, b string) bool {
	return strings.TrimPrefix(strings.TrimPrefix(a, "ent"), "en") == strings.TrimPrefix(strings.TrimPrefix(b, "ent"), "en")
}

// readRole reads "Real Adapter: ent0" and "Backup adapter - ent1:".
func (p *parser) readRole(l *line) bool {
	for _, r := range roles {
		if !hasPrefixFold(l.text, r.words) {
			continue
		}
		rest := l.text[len(r.words):]
		from := len(rest) - len(strings.TrimLeft(rest, " \t:-"))
		to := len(strings.TrimRight(rest, " \t:"))
		if from == 0 || to <= from || !isDevice(rest[from:to]) {
			return false
		}
		if l.last && to == len(rest) {
			p.literal(l) // the name may be cut off
			return true
		}
		if !p.recognised {
			return false
		}
		s := &Statistics{Role: r.role, RoleName: rest[from:to]}
		p.enter(s, p.owner(r.role)+1)
		p.begin(l)
		p.spot(nil, partRole, l.at+len(r.words)+from, to-from)
		p.finish(l)
		return true
	}
	return false
}

// owner is the depth of the adapter that a member of this role belongs to.
func (p *parser) owner(role Role) int {
	bridged := role == RealAdapter || role == VirtualAdapter || role == ControlChannel
	for i := len(p.path) - 1; i >= 0; i-- {
		if bridged && p.path[i].bridge || !bridged && p.path[i].channel {
			return i
		}
	}
	return 0
}

func isDevice(name string) bool {
	if len(name) > 32 {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := lower(name[i])
		if c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '_') {
			continue
		}
		return false
	}
	return name != ""
}
