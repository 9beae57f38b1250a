package ifconfig

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// Seen: flags=1e080863,4c0<UP,...>  flags=e08084b<...>  flags=1e080863,104c0
	head     = parse.Lazy(`^\s*([A-Za-z]+[0-9]+):\s+flags=\s*([0-9A-Fa-f]+(?:\s*,\s*[0-9A-Fa-f]+)*)\s*(.*)$`)
	behind   = parse.Lazy(`^(?:\s+[a-z][a-z0-9_]* \S+)*\s*$`) // metric 1, mtu 1500
	name     = parse.Lazy(`^[a-z]+[0-9]+$`)
	word     = parse.Lazy(`^[a-z][a-z0-9_]*$`)
	flagForm = parse.Lazy(`^[A-Z0-9_:()/-]+$`)
)

// mostBroken is over how many lines more a narrow terminal or a copy may have
// broken a list of flag names.
const mostBroken = 3

// Parse reads the output of ifconfig -a, ifconfig IF or ifconfig -l. Errors:
// parse.ErrNotRecognised if neither an interface nor a list of names is found.
func Parse(text []byte) (*Config, error) {
	c := &Config{}
	var on *Interface
	lines := parse.Lines(text, &c.Report)
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		words := strings.Fields(l.Text)
		m := head.FindStringSubmatch(l.Text)
		switch {
		case m != nil:
			next, taken := c.head(l, m, lines[i+1:])
			if next == nil {
				on = nil
				c.NotUnderstood(l)
				continue
			}
			on = next
			if on.Cut {
				c.NotUnderstood(l)
			}
			i += taken
		case c.Interfaces == nil && c.Names == nil && areNames(words):
			c.Names = words
		case c.detail(l, on, words):
		default:
			c.NotUnderstood(l)
			if n := len(c.Interfaces); n > 0 {
				c.Interfaces[n-1].Unread = true
			}
			if l.Text[0] != ' ' && l.Text[0] != '\t' {
				on = nil // the head of an interface, perhaps: what follows is not the last one's
			}
		}
	}
	return parse.Recognised(c, c.Interfaces != nil || c.Names != nil)
}

// detail reads a line below the first one of an interface; false if it is none
// of that interface, or there is no interface.
func (c *Config) detail(l parse.Line, on *Interface, words []string) bool {
	if on == nil {
		return false
	}
	if c.address(l, on) {
		return true
	}
	return on.options(words)
}

func areNames(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !name.MatchString(w) })
}

// head reads the first line of an interface, with the lines its flag names may
// go on over; taken is how many.
func (c *Config) head(l parse.Line, m []string, next []parse.Line) (i *Interface, taken int) {
	i = &Interface{Name: m[1]}
	for h := range strings.SplitSeq(m[2], ",") {
		w, err := strconv.ParseUint(strings.TrimSpace(h), 16, 64)
		if err != nil {
			return nil, 0
		}
		i.Words = append(i.Words, w)
	}
	rest := m[3]
	if list, ok := strings.CutPrefix(rest, "<"); ok {
		for taken < min(len(next), mostBroken) && !strings.Contains(list, ">") && goesOn(next[taken].Text) {
			list += next[taken].Text
			taken++
		}
		var closed bool
		list, rest, closed = strings.Cut(list, ">")
		list = strings.Join(strings.Fields(list), "") // blanks come from copying
		i.Cut = !closed
		i.Flags = strings.Split(list, ",")
		switch {
		case i.Cut: // the last name may be half of another
			i.Flags = i.Flags[:len(i.Flags)-1]
			c.Warn(l.Number, i.Name+": the flag names are cut off")
		case list == "":
			i.Flags = []string{}
		case !i.Whole():
			c.Warn(l.Number, fmt.Sprintf("%s: not all of %q are flags: one that is not there may be set", i.Name, list))
		}
	}
	if rest != "" && !behind.MatchString(" "+rest) {
		return nil, 0
	}
	c.Interfaces = append(c.Interfaces, i)
	return i, taken
}

// goesOn distinguishes a continued list of flag names from a line of its own.
func goesOn(line string) bool {
	list, _, _ := strings.Cut(line, ">")
	list = strings.Trim(strings.Join(strings.Fields(list), ""), ",")
	for n := range strings.SplitSeq(list, ",") {
		if !flagForm.MatchString(n) {
			return false
		}
	}
	return true
}

// addressForm is an inet or inet6 line: the address, its peer's behind an arrow, settings, and words
// that stand alone, as "tentative".
var (
	addressForm = parse.Lazy(`^\s*(inet6?)\s+(\S+)(?:\s+-->\s+\S+)?((?:\s+[a-z][a-z0-9_]*(?:\s+\S*[0-9:]\S*)?)*)\s*$`)
	setting     = parse.Lazy(`\s(netmask|broadcast)(?:\s+(\S*[0-9:]\S*))?`)
)

func (c *Config) address(l parse.Line, on *Interface) bool {
	a, rest := &Address{}, ""
	if !addressForm.Scan(l.Text, &a.Family, &a.Address, &rest) {
		return false
	}
	for _, m := range setting.Regexp().FindAllStringSubmatch(rest, -1) {
		if m[1] == "netmask" {
			a.Netmask = m[2]
		} else {
			a.Broadcast = m[2]
		}
		if m[2] == "" && !c.CutOff(l) {
			c.Warn(l.Number, on.Name+": "+m[1]+" without a value")
		} else if m[2] == "" {
			return false
		}
	}
	if c.CutOff(l) && !a.whole() {
		return false
	}
	on.Addresses = append(on.Addresses, a)
	return true
}

// whole reports whether no value of an address is the beginning of one.
func (a *Address) whole() bool {
	address, _, _ := strings.Cut(a.Address, "/")
	address, _, _ = strings.Cut(address, "%")
	_, err := netip.ParseAddr(address)
	return err == nil && (a.Netmask == "" || len(a.Netmask) == len("0xffffff00") || strings.Count(a.Netmask, ".") == 3) &&
		(a.Broadcast == "" || strings.Count(a.Broadcast, ".") == 3 && !strings.HasSuffix(a.Broadcast, "."))
}

// options reads the line of the interface's own network options.
func (i *Interface) options(words []string) bool {
	var options []Option
	for k := 0; k+1 < len(words); k += 2 {
		v, err := strconv.ParseUint(words[k+1], 10, 64)
		if err != nil || !word.MatchString(words[k]) {
			return false
		}
		options = append(options, Option{words[k], v})
	}
	if len(words)%2 != 0 {
		return false
	}
	i.Options = append(i.Options, options...)
	return true
}
