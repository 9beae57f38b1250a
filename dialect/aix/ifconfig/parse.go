package ifconfig

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
	"seaworthy/dialect/layout"
)

var (
	// Seen: flags=1e080863,4c0<UP,...>  flags=e08084b<...>  flags=1e080863,104c0
	head   = dialect.Lazy(`^([A-Za-z][A-Za-z]*[0-9]+):(\s+)flags=([0-9A-Fa-f]+(?:,[0-9A-Fa-f]+)*)(.*)$`)
	name   = dialect.Lazy(`^[a-z]+[0-9]+$`)
	option = dialect.Lazy(`^[a-z][a-z0-9_]*$`)
	flag   = dialect.Lazy(`^[A-Z0-9_:()/-]+$`)
)

// Parse reads the output of ifconfig -a, ifconfig IF or ifconfig -l. Errors:
// dialect.ErrNotRecognised if neither an interface nor a list of names is found.
func Parse(text []byte) (*Config, error) {
	c := &Config{}
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	r := layout.NewReader(text, &c.Report)
	var on *Interface
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		words, tail, ok := r.Words()
		switch {
		case ok && len(words) == 0:
			r.Keep()
		case c.Interfaces == nil && ok && c.Names == nil && allNames(words):
			for _, w := range words {
				c.Names = append(c.Names, w.Text)
			}
			c.Layout.NamesHead = r.Held()
			c.Layout.NamesLine = r.Line(words, tail, nil)
		case readHead(c, r, line):
			on = c.Interfaces[len(c.Interfaces)-1]
		case ok && on != nil && readAddress(on, r, words, tail):
		case ok && on != nil && readOptions(on, r, words, tail):
		default:
			if line != "" && line[0] != ' ' && line[0] != '\t' && printout.Message([]string{line}, 0) == 0 {
				on = nil // the head of an interface, perhaps: what follows is not the last one's
			}
			if n := len(c.Interfaces); n > 0 {
				c.Interfaces[n-1].unread = true
			}
			r.Unread()
		}
	}
	c.Layout.Sheet = r.Sheet()
	if c.Interfaces == nil && c.Names == nil {
		return nil, dialect.ErrNotRecognised
	}
	return c, nil
}

func allNames(words []layout.Word) bool {
	for _, w := range words {
		if !name.MatchString(w.Text) {
			return false
		}
	}
	return true
}

func readHead(c *Config, r *layout.Reader, line string) bool {
	lead, body, tail := layout.Trim(line)
	m := head.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	i := &Interface{Name: m[1], Layout: Head{Lead: lead, Gap: m[2], Parsed: true}}
	for _, h := range strings.Split(m[3], ",") {
		w, ok := hexWord(h)
		if !ok {
			return false
		}
		i.Words = append(i.Words, w)
		i.Layout.Hex = append(i.Layout.Hex, h)
	}
	rest := m[4]
	var skipped []string
	if strings.HasPrefix(rest, "<") {
		// A narrow terminal or a copy may have broken the list of names.
		for n := 1; !strings.Contains(rest, ">") && n <= 3 && isRestOfNames(r.Peek(n)); n++ {
			skipped = append(skipped, r.Peek(n))
			rest += tail + "\n" + r.Peek(n)
			tail = ""
		}
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			i.Cut, end = true, len(rest)
			r.Warn(i.Name + ": the flag names are cut off")
		} else {
			end++
		}
		raw := rest[:end]
		rest = rest[end:]
		i.Names = readNames(raw, i.Cut)
		for _, n := range i.Names {
			if !i.Cut && !flag.MatchString(n) {
				r.Warn(fmt.Sprintf("%s: %q is no flag: one that is not there may be set", i.Name, n))
			}
		}
		if printNames(i) != raw {
			i.Layout.Raw = raw
		}
	}
	words, innerTail, ok := layout.Words(rest)
	if !ok || len(words)%2 != 0 {
		return false
	}
	for k := 0; k < len(words); k += 2 {
		if !option.MatchString(words[k].Text) {
			return false
		}
		i.Extra = append(i.Extra, Setting{words[k].Text, words[k+1].Text})
	}
	i.Layout.Line = r.Line(words, innerTail+tail, nil)
	i.Layout.Before = r.Held()
	for range skipped {
		r.Next()
	}
	c.Interfaces = append(c.Interfaces, i)
	return true
}

func hexWord(s string) (uint64, bool) {
	if len(s) > 1 && s[0] == '0' {
		s = strings.TrimLeft(s, "0") + "" // netmask 0x00000000 and padded copies
		if s == "" {
			return 0, true
		}
	}
	v, err := strconv.ParseUint(s, 16, 64)
	return v, err == nil
}

// isRestOfNames tells a continued list of flag names from a line of its own.
func isRestOfNames(line string) bool {
	rest, _, _ := strings.Cut(line, ">")
	rest = strings.Join(strings.Fields(rest), "")
	if rest == "" {
		return false
	}
	for _, n := range strings.Split(strings.Trim(rest, ","), ",") {
		if !flag.MatchString(n) {
			return false
		}
	}
	return true
}

// readNames reads <UP,BROADCAST,...>. Blanks inside come from copying. Of a
// list that is cut off, the last name may be half of another.
func readNames(raw string, cut bool) []string {
	body := strings.Join(strings.Fields(strings.Trim(raw, "<>")), "")
	names := strings.Split(body, ",")
	if cut {
		return names[:len(names)-1]
	}
	if body == "" {
		return []string{}
	}
	return names
}

func readAddress(i *Interface, r *layout.Reader, words []layout.Word, tail string) bool {
	if len(words) < 2 || (words[0].Text != "inet" && words[0].Text != "inet6") {
		return false
	}
	a := &Address{Family: words[0].Text, Address: words[1].Text}
	rest := words[2:]
	if len(rest) >= 2 && rest[0].Text == "-->" {
		a.Peer, rest = rest[1].Text, rest[2:]
	}
	for len(rest) >= 2 && option.MatchString(rest[0].Text) && strings.ContainsAny(rest[1].Text, "0123456789:") {
		a.Values = append(a.Values, Setting{rest[0].Text, rest[1].Text})
		rest = rest[2:]
	}
	for _, w := range rest {
		if !option.MatchString(w.Text) {
			return false
		}
		if w.Text == "netmask" || w.Text == "broadcast" {
			r.Warn(i.Name + ": " + w.Text + " without a value")
		}
		a.Words = append(a.Words, w.Text)
	}
	a.Layout = Row{Before: r.Held(), Line: r.Line(words, tail, nil)}
	i.Addresses = append(i.Addresses, a)
	i.Layout.Order += "a"
	return true
}

func readOptions(i *Interface, r *layout.Reader, words []layout.Word, tail string) bool {
	if len(words)%2 != 0 {
		if option.MatchString(words[0].Text) && strings.HasPrefix(words[0].Text, "tcp_") {
			r.Warn(i.Name + ": an option without a value")
		}
		return false
	}
	o := &Options{}
	for k := 0; k < len(words); k += 2 {
		v, ok := layout.Count(words[k+1].Text)
		if !ok || !option.MatchString(words[k].Text) {
			return false
		}
		o.Values = append(o.Values, Option{words[k].Text, v})
	}
	o.Layout = Row{Before: r.Held(), Line: r.Line(words, tail, nil)}
	i.Options = append(i.Options, o)
	i.Layout.Order += "o"
	return true
}
