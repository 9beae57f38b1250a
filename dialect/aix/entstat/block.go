package entstat

import (
	"strings"

	"seaworthy/dialect/labels"
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

// readForeign passes over the sections of devices that are not Ethernet: they
// look alike, and none of their numbers is an Ethernet adapter's.
func (p *parser) readForeign(l *labels.Line) bool {
	if kind, name, ok := foreignHeading(l.Body); ok {
		if !p.recognised {
			p.Parts = nil
		}
		p.recognised, p.foreign, p.path = true, &Foreign{Kind: kind, Name: name}, p.path[:0]
		p.Parts = append(p.Parts, Part{Foreign: p.foreign})
	}
	if p.foreign != nil && labels.HasPrefix(l.Body, "ETHERNET STATISTICS") {
		p.foreign = nil
		p.enter(&Statistics{}, 0)
		p.fresh = true
	}
	return p.foreign != nil
}

// foreignHeading reads "FIBRE CHANNEL STATISTICS REPORT: fcs0" and
// "TOKEN-RING STATISTICS (tok0) :".
func foreignHeading(text string) (kind, name string, ok bool) {
	kind, rest, ok := strings.Cut(text, " STATISTICS")
	if !ok || kind == "" || kind != strings.ToUpper(kind) || kind[0] < 'A' || kind[0] > 'Z' || kind == "ETHERNET" || len(kind) > 40 {
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
func (p *parser) readBlock(l *labels.Line) bool {
	switch {
	case labels.HasPrefix(l.Body, "ETHERNET STATISTICS"):
		_, rest, _ := strings.Cut(l.Body, "(")
		name, _, _ := strings.Cut(rest, ")")
		p.start(strings.TrimSpace(name), l)
		p.current().Name = strings.TrimSpace(name)
		return true
	case labels.HasPrefix(l.Body, "Device Type"):
		p.fresh = false
		if !p.recognised {
			p.recognised = true
		} else if p.current().typed {
			p.start("", l)
			p.Warn(l.Number, "the statistics of another adapter start without a heading")
		}
		return false
	}
	return p.readRole(l)
}

// start finds the place of an adapter that no line announced: the one a line
// above announced by name, a member of an EtherChannel that has not printed all
// its members, or a device of its own.
func (p *parser) start(name string, l *labels.Line) {
	if !p.recognised || p.fresh {
		p.recognised, p.fresh = true, false
		return
	}
	s := p.current()
	if s.Empty() && s.Name == "" && s.RoleName != "" && (name == "" || sameDevice(name, s.RoleName)) {
		return
	}
	for i := len(p.path) - 1; i >= 0; i-- {
		if c := p.path[i]; c.channel && c.announced > uint64(len(c.Members)) {
			p.enter(&Statistics{}, i+1)
			return
		}
	}
	p.enter(&Statistics{}, 0)
}

// sameDevice compares entN with the enN or etN above it.
func sameDevice(a, b string) bool {
	return strings.TrimPrefix(strings.TrimPrefix(a, "ent"), "en") == strings.TrimPrefix(strings.TrimPrefix(b, "ent"), "en")
}

// readRole reads "Real Adapter: ent0" and "Backup adapter - ent1:".
func (p *parser) readRole(l *labels.Line) bool {
	for _, r := range roles {
		if !labels.HasPrefix(l.Body, r.words) {
			continue
		}
		rest := l.Body[len(r.words):]
		name := strings.Trim(rest, " \t:-")
		if strings.HasPrefix(rest, name) || !isDevice(name) {
			return false
		}
		if l.Last && strings.HasSuffix(rest, name) {
			return true // the name may be cut off
		}
		if !p.recognised {
			return false
		}
		p.enter(&Statistics{Role: r.role, RoleName: name}, p.owner(r.role)+1)
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

func (p *parser) current() *device { return p.path[len(p.path)-1] }

// enter starts an adapter at the given depth: 0 is a device of its own, 1 a
// member of the outermost one.
func (p *parser) enter(s *Statistics, depth int) {
	p.path = append(p.path[:min(depth, len(p.path))], &device{Statistics: s})
	if len(p.path) == 1 {
		p.Parts = append(p.Parts, Part{Adapter: s})
	} else {
		up := p.path[len(p.path)-2]
		up.Members = append(up.Members, s)
	}
	p.read.Begin(&s.Fields)
	p.fresh = false
}
