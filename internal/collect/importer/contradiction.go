package importer

import (
	"fmt"
	"slices"
	"strings"
)

// contradictions are the classes of signs by which outputs of what would be one host show that they are of two, the surest
// first. This is the one place that says which differences part hosts.
var contradictions = []struct {
	class signClass
	// unlessSame: a MAC or an address that is the same in both outweighs it.
	unlessSame bool
	// unlessNamed: a prompt or a heading of each output that names the same host outweighs it.
	unlessNamed bool
	// unlessSaid: a person who says that both are of one host outweighs it.
	unlessSaid bool
	// inOneText: only outputs of one text are compared, as files may be of times between which the host was updated.
	inOneText bool
}{
	{class: strict},
	{class: macs},
	{class: addresses, unlessSame: true, unlessNamed: true, unlessSaid: true},
	{class: hardware, unlessSame: true, unlessSaid: true},
	{class: machines, unlessSame: true, unlessNamed: true, unlessSaid: true, inOneText: true},
	{class: kernels, unlessSame: true, unlessNamed: true, unlessSaid: true, inOneText: true},
	{class: systems, unlessNamed: true, unlessSaid: true, inOneText: true},
}

// twoHosts says which two outputs of what would be one host cannot be of one; empty
// if nothing speaks against it.
func twoHosts(parts []*part) (why string, one, other *part) {
	seen := signTable{}
	for _, p := range parts {
		for _, c := range contradictions {
			had, value := seen.against(p, c.class)
			switch {
			case had == nil, c.inOneText && had.part.file != p.file:
				continue
			case c.unlessSame && seen.agrees(p.signs), c.unlessNamed && sameNamed(p, had.part), c.unlessSaid && p.said():
				continue
			}
			why = fmt.Sprintf("%s is %s in %s and %s in %s", value.what, had.value, from(had.part), value.value, from(p))
			return notMerged(why, had.part, p), had.part, p
		}
		if had, value := seen.speaksWith(p); had != nil && !sameNamed(p, had.part) && !p.said() {
			one, other := had.part, p
			if !had.isOwn() {
				one, other = p, had.part
			}
			why = fmt.Sprintf("%s is the host's own address in %s and that of another in %s", value, from(one), from(other))
			return notMerged(why, one, other), had.part, p
		}
		if had := seen.listsOthers(p); had != nil && !sameNamed(p, had) && !p.said() {
			return notMerged(fmt.Sprintf("no device of %s is among those of %s", from(p), from(had)), had, p), had, p
		}
		if had := seen.otherPorts(p); had != nil && !sameNamed(p, had) && !p.said() {
			return notMerged(fmt.Sprintf("%s and %s have no device in common", from(had), from(p)), had, p), had, p
		}
		if had, value := selfOpposed(p); had != "" {
			return notMerged(fmt.Sprintf("%s is %s and %s in %s", value.what, had, value.value, from(p)), p, p), p, p
		}
		seen.add(p)
	}
	return "", nil, nil
}

// selfOpposed gives two values of one sign where an output has both: those of two hosts without a line between them.
func selfOpposed(p *part) (had string, value sign) {
	values := map[signKey]string{}
	for _, s := range p.signs {
		if s.class != strict && s.class != macs && s.class != firsts && s.class != systems && s.class != machines {
			continue
		}
		at := signKey{s.class, s.what}
		if v, seen := values[at]; seen && v != s.value {
			return v, s
		}
		values[at] = s.value
	}
	return "", sign{}
}

// notMerged says what to do where two outputs are of two hosts.
func notMerged(why string, p, q *part) string {
	const found = "not merged, these are outputs of two hosts: "
	if p.file == q.file {
		return found + why + ". Put a line with the host's name above the outputs of each, as in \"--- web1 ---\", " +
			"or save them into a file for each host"
	}
	return found + why + ". Put the files of each host into a folder of its own, or import them one by one with --host"
}

// sameNamed reports whether each of two outputs is named for itself, by a prompt or a heading.
func sameNamed(p, q *part) bool {
	return p.direct && q.direct && !strings.HasPrefix(p.namedBy, "node name")
}

// said reports whether a person says whose an output is.
func (p *part) said() bool { return p.HostFrom == "--host" || p.HostFrom == "--map" }

// speaksWith gives an output whose host's own address is another's in p, or the other way round; nil if there is none.
func (t signTable) speaksWith(p *part) (had *signOf, address string) {
	mine, others := map[string]bool{}, map[string]bool{}
	for _, s := range p.signs {
		mine[s.value] = mine[s.value] || s.isOwn()
		others[s.value] = others[s.value] || s.class == peers
	}
	for _, list := range t {
		for _, at := range list {
			theirs := at.isOwn() && others[at.value] && !mine[at.value]
			ours := at.class == peers && mine[at.value] && !slices.ContainsFunc(at.part.signs, sign{value: at.value}.isSameOwn)
			if theirs || ours {
				return &at, at.value
			}
		}
	}
	return nil, ""
}

// listsOthers gives an output of the same text that lists all devices of a host, and none of those that p lists; nil if there is
// none. Devices that programs make are no host's own.
func (t signTable) listsOthers(p *part) (had *part) {
	for _, s := range p.signs {
		if s.class != listed || commonPort.MatchString(s.value) {
			continue
		}
		if t.has(s) {
			return nil
		}
		for _, other := range t[signKey{listed, s.what}] {
			if other.part.file == p.file && !commonPort.MatchString(other.value) {
				had = other.part
			}
		}
	}
	return had
}

// otherPorts gives an output of another file that is the same of other devices, where both list all devices of a host and
// have none in common; nil if there is none.
func (t signTable) otherPorts(p *part) (had *part) {
	if p.found == nil || !listsPorts[p.found.ID] {
		return nil
	}
	all := slices.ContainsFunc(p.signs, func(s sign) bool { return s.class == listed })
	for _, s := range p.signs {
		if s.class == spoken && (t.has(s) || p.asksFor(s.value)) {
			return nil
		}
	}
	for _, other := range t[signKey{spoken, "the device"}] {
		its := other.part
		itsAll := slices.ContainsFunc(its.signs, func(s sign) bool { return s.class == listed })
		if its.file != p.file && its.found != nil && its.found.ID == p.found.ID && all && itsAll && !its.asksFor(other.value) {
			had = its
		}
	}
	return had
}

// asksFor reports whether the command line of an output names a device: then it lists no others.
func (p *part) asksFor(device string) bool { return slices.Contains(strings.Fields(p.Command), device) }

// listsPorts are the outputs that list the devices of a host.
var listsPorts = map[string]bool{"ip-addr-text": true, "ip-link": true, "ifconfig-linux": true, "ip-brief": true}

// isOwn reports whether a sign is an address of the host itself.
func (s sign) isOwn() bool { return s.class == own || s.class == addresses }

// isSameOwn reports whether another sign is the same address, of the host itself.
func (s sign) isSameOwn(other sign) bool { return other.isOwn() && other.value == s.value }
