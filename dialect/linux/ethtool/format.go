package ethtool

import (
	"fmt"
	"strconv"
	"strings"
)

// Format prints an Output as Parse read it, new parts as ethtool 6 does.
func Format(o *Output) []byte {
	var lines []string
	for _, b := range o.Blocks {
		lines = append(lines, b.Layout.Before...)
		switch b.Kind {
		case Driver:
		case Statistics:
			lines = append(lines, b.Layout.Lead+string(Statistics)+":"+b.Layout.Tail)
		default:
			lines = append(lines, b.Layout.Lead+string(b.Kind)+" for "+b.Device+":"+b.Layout.Tail)
		}
		for _, s := range b.Sections {
			lines = append(lines, s.Layout.Before...)
			if s.Name != "" {
				lines = append(lines, s.Layout.Lead+s.Name+":"+s.Layout.Tail)
			}
			for _, i := range s.Items {
				lines = i.lines(lines, b.Kind)
			}
		}
	}
	return o.Layout.Join(lines)
}

func (i *Item) lines(lines []string, kind Kind) []string {
	l := i.Layout
	if !l.old {
		return append(lines, i.fresh(kind))
	}
	name := i.Name
	if l.joined {
		name = name[strings.LastIndexByte(name, ' ')+1:]
	}
	s := l.Lead + name + l.sep + i.Value() + l.Tail
	if l.joined && len(lines) > 0 {
		lines[len(lines)-1] += s
		return lines
	}
	lines = append(append(lines, l.Before...), s)
	for k, more := range i.More {
		lead, tail := "\t                        ", ""
		if k < len(l.moreLead) {
			lead, tail = l.moreLead[k], l.moreTail[k]
		}
		lines = append(lines, lead+more+tail)
	}
	return lines
}

// dependent features stand indented below the one they make up.
func dependent(name string) bool {
	for _, p := range []string{"tx-checksum-", "tx-scatter-gather", "tx-tcp", "tx-udp-fragmentation"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func (i *Item) fresh(kind Kind) string {
	switch kind {
	case Statistics:
		return "     " + i.Name + ": " + i.Value()
	case Settings:
		return "\t" + i.Name + ": " + i.Value()
	case Features:
		if dependent(i.Name) {
			return "\t" + i.Name + ": " + i.Value()
		}
	case Channels, Rings, Pause:
		return fmt.Sprintf("%s:%s%s", i.Name, strings.Repeat("\t", max(1, 2-len(i.Name)/8)), i.Value())
	}
	return i.Name + ": " + i.Value()
}

// Value is the item's value as ethtool prints it.
func (i *Item) Value() string {
	s := i.Text
	switch {
	case i.Count != nil:
		s = strconv.FormatUint(*i.Count, 10)
	case i.On != nil && *i.On:
		s = "on"
	case i.On != nil:
		s = "off"
	}
	if i.Note != "" {
		s += " [" + i.Note + "]"
	}
	return s
}
