package entstat

import (
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// roleForm is a line that introduces a member: "Real Adapter: ent0", "Backup adapter - ent1:".
var roleForm = parse.Lazy(`(?i)^(Control Channel|Control|Virtual|Real|Backup|Primary) adapter[ \t:-]+([a-z][a-z0-9_]{0,31})([ \t:-]*)$`)

var roles = map[string]Role{"control channel": ControlChannel, "control": ControlChannel, "virtual": VirtualAdapter, "real": RealAdapter,
	"backup": BackupAdapter, "primary": "Primary adapter"}

// otherOutput is a line with which the output of another command begins: what follows is none of entstat's up to the next heading.
var otherOutput = parse.Lazy(`^(?:Name +Mtu +Network|[a-z]+\d+: +flags=|Routing tables$|Destination +Gateway +Flags|` +
	`Kernel malloc statistics|(?:tcp|udp|ip|icmp|igmp|ipv6|icmpv6):$|System configuration: |IDENTIFIER +TIMESTAMP|` +
	`[a-z]+\d+ +(?:Available|Defined)\b|` +
	`AIX \S+ \d \d 00[0-9A-F]{10}|[a-z]\w*[ \t]+[^:]*[ \t](?:True\+?|False)$|arpqsize = \d+|Active Internet connections)`)

// readOther passes over the output of another command that follows without a heading, and says that it was not understood.
func (p *parser) readOther(l *labels.Line) bool {
	switch {
	case foreignHeading.MatchString(l.Body):
		p.ended = false
	case p.recognised && otherOutput.MatchString(strings.TrimRight(l.Body, " \t\r")):
		p.ended = true
	}
	if p.ended {
		p.NotUnderstood(l.Line)
	}
	return p.ended
}

// readForeign passes over the sections of devices that are not Ethernet: they
// look alike, and none of their numbers is an Ethernet adapter's.
func (p *parser) readForeign(l *labels.Line) bool {
	f := &Foreign{}
	if foreignHeading.Scan(l.Body, &f.Kind, &f.Name, &f.Name) && f.Kind != "ETHERNET" {
		if !p.recognised {
			p.Parts = nil
		}
		p.recognised, p.foreign, p.path = true, f, p.path[:0]
		p.Parts = append(p.Parts, Part{Foreign: p.foreign})
	}
	if p.foreign != nil && labels.HasPrefix(l.Body, "ETHERNET STATISTICS") {
		p.foreign = nil
		p.enter(&Statistics{}, 0)
		p.fresh = true
	}
	return p.foreign != nil
}

// foreignHeading is "FIBRE CHANNEL STATISTICS REPORT: fcs0" and "TOKEN-RING STATISTICS (tok0) :".
var foreignHeading = parse.Lazy(`^([A-Z][^a-z]{0,39}?) STATISTICS(?: REPORT:\s*(.*?)\s*|\s*\(([^)]*)\).*)$`)

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

// readRole reads the line that introduces a member.
func (p *parser) readRole(l *labels.Line) bool {
	words, name, end := "", "", ""
	if !roleForm.Scan(l.Body, &words, &name, &end) {
		return false
	}
	if l.Last && end == "" {
		return true // the name may be cut off
	}
	if p.recognised {
		role := roles[strings.ToLower(words)]
		p.enter(&Statistics{Role: role, RoleName: name}, p.owner(role)+1)
	}
	return p.recognised
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
