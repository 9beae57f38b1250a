package ovsvsctl

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

var (
	shownItem = parse.Lazy(`^ *(Bridge|Port|Interface) "?([^" ]+)"?$`)
	shownID   = parse.Lazy(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	// What it says of others than devices, and of those what is not read.
	shownMore = parse.Lazy(`^ +(?:(?:Manager|Controller) "[^"]*"|` +
		`(?:is_connected|fail_mode|datapath_type|ovs_version|tag|trunks|type|options|error): .*)$`)
	peer   = parse.Lazy(`[{ ]peer="?([^",} ]+)`)
	remote = parse.Lazy(`[{ ]remote_ip="?([^",} ]+)`)
)

// show reads the text of ovs-vsctl show: bridges, their ports, and the ports'
// interfaces, each with its values below it.
func (s *Switch) show(lines []parse.Line) {
	var b *Bridge
	var p *Port
	var i *Interface
	for _, l := range lines {
		if m := shownItem.FindStringSubmatch(l.Text); m != nil && !s.CutOff(l) {
			switch {
			case m[1] == "Bridge":
				b, p, i = &Bridge{Name: m[2]}, nil, nil
				s.Bridges = append(s.Bridges, b)
				continue
			case m[1] == "Port" && b != nil:
				p, i = &Port{Name: m[2]}, nil
				b.Ports = append(b.Ports, p)
				continue
			case m[1] == "Interface" && p != nil:
				i = &Interface{Name: m[2]}
				p.Interfaces = append(p.Interfaces, i)
				continue
			}
		}
		if s.CutOff(l) || !shownMore.MatchString(l.Text) && !shownID.MatchString(l.Text) {
			s.NotUnderstood(l)
			continue
		}
		key, value, _ := strings.Cut(strings.TrimSpace(l.Text), ": ")
		s.say(p, i, key, strings.Trim(value, `"`))
	}
}

// say takes a value of an interface, or else of a port.
func (s *Switch) say(p *Port, i *Interface, key, value string) {
	switch {
	case key == "ovs_version":
		s.Version = value
	case i != nil && key == "type":
		i.Type = value
	case i != nil && key == "error":
		i.Error = value
	case i != nil && key == "options":
		if m := peer.FindStringSubmatch(value); m != nil {
			i.Peer = m[1]
		}
		if m := remote.FindStringSubmatch(value); m != nil {
			i.Remote = m[1]
		}
	case p != nil && key == "tag":
		if n, err := strconv.Atoi(value); err == nil {
			p.Tag = &n
		}
	case p != nil && key == "trunks":
		for _, v := range strings.Split(strings.Trim(value, "[]"), ", ") {
			if n, err := strconv.Atoi(v); err == nil {
				p.Trunks = append(p.Trunks, n)
			}
		}
	}
}
