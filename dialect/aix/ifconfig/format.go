package ifconfig

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect/layout"
)

// Format prints a Config as Parse read it. Parts without layout are printed as
// AIX 7.2 does: addresses behind a TAB, options behind a TAB and a blank.
func Format(c *Config) []byte {
	var lines []string
	if c.Names != nil {
		lines = append(lines, c.Layout.NamesHead...)
		line := c.Layout.NamesLine
		if line == nil {
			line = &layout.Line{}
		}
		lines = append(lines, line.Place(c.Names...))
	}
	for _, i := range c.Interfaces {
		lines = append(lines, i.Layout.Before...)
		lines = append(lines, strings.Split(printHead(i), "\n")...)
		lines = append(lines, body(i)...)
	}
	return c.Layout.Join(lines)
}

// body prints addresses and options in the order they stood; AIX itself prints
// the options last.
func body(i *Interface) []string {
	var lines []string
	addresses, options := i.Addresses, i.Options
	for _, kind := range i.Layout.Order {
		switch {
		case kind == 'a' && len(addresses) > 0:
			lines = append(lines, printAddress(addresses[0])...)
			addresses = addresses[1:]
		case kind == 'o' && len(options) > 0:
			lines = append(lines, printOptions(options[0])...)
			options = options[1:]
		}
	}
	for _, a := range addresses {
		lines = append(lines, printAddress(a)...)
	}
	for _, o := range options {
		lines = append(lines, printOptions(o)...)
	}
	return lines
}

func printAddress(a *Address) []string {
	line := a.Layout.Line
	if line == nil {
		line = &layout.Line{Cells: []layout.Cell{{Gap: "\t"}}}
	}
	texts := []string{a.Family, a.Address}
	if a.Peer != "" {
		texts = append(texts, "-->", a.Peer)
	}
	for _, s := range a.Values {
		texts = append(texts, s.Name, s.Value)
	}
	return append(slices.Clone(a.Layout.Before), line.Place(append(texts, a.Words...)...))
}

func printOptions(o *Options) []string {
	line := o.Layout.Line
	if line == nil {
		line = &layout.Line{Cells: []layout.Cell{{Gap: "\t "}}}
	}
	var texts []string
	for _, v := range o.Values {
		texts = append(texts, v.Name, strconv.FormatUint(v.Value, 10))
	}
	return append(slices.Clone(o.Layout.Before), line.Place(texts...))
}

func printHead(i *Interface) string {
	l := i.Layout
	if !l.Parsed {
		l.Gap = " "
	}
	words := make([]string, len(i.Words))
	for k, w := range i.Words {
		words[k] = strconv.FormatUint(w, 16)
		if k < len(l.Hex) {
			if old, ok := hexWord(l.Hex[k]); ok && old == w {
				words[k] = l.Hex[k]
			}
		}
	}
	s := l.Lead + i.Name + ":" + l.Gap + "flags=" + strings.Join(words, ",") + printNames(i)
	line := l.Line
	if line == nil {
		line = &layout.Line{}
	}
	var texts []string
	for _, e := range i.Extra {
		texts = append(texts, e.Name, e.Value)
	}
	rest := line.Place(texts...)
	if line.Cells == nil && len(texts) > 0 {
		rest = " " + rest
	}
	return s + rest
}

func printNames(i *Interface) string {
	raw := i.Layout.Raw
	if raw != "" && slices.Equal(readNames(raw, i.Cut), i.Names) {
		return raw
	}
	switch {
	case i.Names == nil:
		return ""
	case i.Cut:
		return "<" + strings.Join(i.Names, ",") + ","
	}
	return "<" + strings.Join(i.Names, ",") + ">"
}
