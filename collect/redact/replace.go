package redact

import (
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

var (
	macShape  = dialect.Lazy(`\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\b|\b[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}\b`)
	dotsShape = dialect.Lazy(`\b[0-9a-f]{1,2}(?:\.[0-9a-f]{1,2}){5}\b`)
	// twelve digits without anything between, where they are said to be a MAC
	bareShape = dialect.Lazy(`((?:(?:Network Address|Manufacture ID)\.{2,}[ \t]*|mac_addr="?|(?i:mac(?: address)?)[ \t]*[:=][ \t]*|` +
		`alt_addr[ \t]+0x|_addr[ \t]+0x|perm_mac[ \t]*[:=][ \t]*))([0-9A-Fa-f]{12})\b`)
	wwnShape = dialect.Lazy(`\b(0x|[WL]|)([0-9A-Fa-f]{16})\b`)
	v4Shape  = dialect.Lazy(`(^|[^0-9A-Za-z._-])((?:[0-9]{1,3}\.){3}[0-9]{1,3})(/[0-9]{1,2})?\b`)
	v6Shape  = dialect.Lazy(`(?:^|[^0-9A-Za-z:.])([0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}` +
		`(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3})?)(%[0-9A-Za-z]+)?(/[0-9]{1,3})?`)
	version   = dialect.Lazy(`(?i)(?:level|version|release|ioslevel|VIOS Level is|rpm|fileset|bos\.\S*)[ \t:=]*$`)
	addressed = dialect.Lazy(`(?i)\b(?:inet6?|netaddr|address|gateway|server|default|via|src|dst|ip|peer|netmask|broadcast|route|` +
		`name server|local|resolver)\b`)
)

// Text replaces what must not be given away in an output. id is its catalogued
// name: in some outputs four numbers with dots are a version, in others an
// address whatever they are.
func (r *Redactor) Text(id string, text []byte) []byte {
	s := string(text)
	s = r.saidNames(s)
	s = macShape.Regexp().ReplaceAllStringFunc(s, r.mac)
	for _, m := range bareShape.Regexp().FindAllStringSubmatch(s, -1) {
		r.bare[strings.ToUpper(m[2])] = true
	}
	s = r.bareMACs(s)
	if tables[id] {
		s = r.tableLines(id, s)
	} else {
		s = dotsShape.Regexp().ReplaceAllStringFunc(s, r.mac)
	}
	if !levels[id] {
		s = r.addresses(id, s)
	}
	s = r.wwns(s)
	return []byte(r.dictionary(s))
}

// tables print networks and MACs in forms of their own; levels print versions.
var (
	tables = map[string]bool{"netstat-in": true, "netstat-rn": true}
	levels = map[string]bool{"ioslevel": true, "oslevel-s": true, "lsmcode": true, "uname-a": true, "os-release": true}
)

// String replaces in other texts: an error, a gap.
func (r *Redactor) String(s string) string { return string(r.Text("", []byte(s))) }

var saidWord = dialect.Lazy(`\S+`)

// saidNames replaces names that are also other words where they are said to be
// names.
func (r *Redactor) saidNames(s string) string {
	if len(r.said) == 0 {
		return s
	}
	for _, e := range sayings {
		var b strings.Builder
		at := 0
		for _, m := range e.Regexp().FindAllStringSubmatchIndex(s, -1) {
			b.WriteString(s[at:m[2]] + saidWord.Regexp().ReplaceAllStringFunc(s[m[2]:m[3]], func(word string) string {
				if !r.said[strings.ToLower(strings.Trim(word, "."))] {
					return word
				}
				return r.key.Name(word)
			}))
			at = m[3]
		}
		if at > 0 {
			s = b.String() + s[at:]
		}
	}
	return s
}

// mac replaces a MAC in the form that it was printed in.
func (r *Redactor) mac(m string) string {
	sep := ""
	for _, c := range []string{":", "-", "."} {
		if strings.Contains(m, c) {
			sep = c
		}
	}
	var b [6]byte
	for i := range b {
		part := ""
		if sep != "" {
			part = strings.Split(m, sep)[i]
		} else {
			part = m[2*i : 2*i+2]
		}
		n, err := strconv.ParseUint(part, 16, 8)
		if err != nil {
			return m
		}
		b[i] = byte(n)
	}
	b = r.key.MAC(b)
	var out []string
	for _, x := range b {
		part := strconv.FormatUint(uint64(x), 16)
		if len(part) == 1 && sep != "." {
			part = "0" + part
		}
		out = append(out, part)
	}
	text := strings.Join(out, sep)
	if strings.ToUpper(m) == m {
		text = strings.ToUpper(text)
	}
	return text
}

// addresses replaces IPv6 and IPv4 addresses, with and without a length.
func (r *Redactor) addresses(id, s string) string {
	s = v6Shape.Regexp().ReplaceAllStringFunc(s, r.v6)
	var b strings.Builder
	at := 0
	for _, m := range v4Shape.Regexp().FindAllStringSubmatchIndex(s, -1) {
		word := s[m[4]:m[5]]
		a, err := netip.ParseAddr(word)
		if err != nil || !Replaces4(a) || !r.isAddress(id, s, m[4], a) {
			continue
		}
		length := ""
		if m[6] >= 0 {
			length = s[m[6]:m[7]]
		}
		b.WriteString(s[at:m[4]])
		at = m[5] + len(length)
		b.WriteString(r.v4(a, length))
	}
	return b.String() + s[at:]
}

// isAddress distinguishes an address from a version in four parts: those of AIX, VIOS
// and filesets begin with 1 to 8.
func (r *Redactor) isAddress(id, s string, from int, a netip.Addr) bool {
	line := s[strings.LastIndexByte(s[:from], '\n')+1 : from]
	switch {
	case tables[id] || id == "ifconfig-a" || strings.HasPrefix(id, "ip-"):
		return true
	case version.MatchString(line):
		return false
	case a.As4()[0] > 8:
		return true
	}
	return addressed.MatchString(line)
}

func (r *Redactor) v4(a netip.Addr, length string) string {
	text := a.String() + length
	if got, ok := r.addrs[text]; ok {
		return got
	}
	got := r.key.Addr(a).String() + length
	if p, err := netip.ParsePrefix(text); length != "" && err == nil {
		got = r.key.Prefix(p).String()
	}
	r.addrs[text] = got
	return got
}

func (r *Redactor) v6(m string) string {
	lead := ""
	if c := m[0]; c != ':' && !isHex(c) {
		lead, m = m[:1], m[1:]
	}
	if got, ok := r.addrs[m]; ok {
		return lead + got
	}
	word, rest := m, ""
	if i := strings.IndexAny(m, "%/"); i >= 0 {
		word, rest = m[:i], m[i:]
	}
	a, err := netip.ParseAddr(word)
	if err != nil || !strings.Contains(word, "::") && strings.Count(word, ":") < 7 {
		return lead + m
	}
	got := r.key.Addr(a).String() + rest
	if p, err := netip.ParsePrefix(word + rest); err == nil {
		got = r.key.Prefix(p).String()
	}
	r.addrs[m] = got
	return lead + got
}

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// wwns replaces the sixteen digits of Fibre Channel names. A counter has no
// letters, and no 0x before it.
func (r *Redactor) wwns(s string) string {
	return wwnShape.Regexp().ReplaceAllStringFunc(s, func(m string) string {
		digits := m[len(m)-16:]
		if strings.Trim(digits, "0") == "" || m == digits && strings.Trim(digits, "0123456789") == "" {
			return m
		}
		return m[:len(m)-16] + r.key.Hex(digits)
	})
}

var wordShape = dialect.Lazy(`[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`)

// domainShape is what follows a host's name.
var domainShape = dialect.Lazy(`^(?:[a-z0-9-]+\.)+[a-z]{2,}$`)

// dictionary replaces the words that were learned, also as parts of others:
// lpar1 in lpar1-backup.
func (r *Redactor) dictionary(s string) string {
	if len(r.words) == 0 {
		return s
	}
	return wordShape.Regexp().ReplaceAllStringFunc(s, func(w string) string {
		low := strings.ToLower(w)
		if got, ok := r.words[low]; ok {
			return got
		}
		if label, domain, ok := strings.Cut(low, "."); ok && r.words[label] != "" && domainShape.MatchString(domain) {
			return r.key.Name(low)
		}
		cuts := []int{0}
		for i := 1; i < len(low); i++ {
			if c := low[i]; c == '.' || c == '-' || c == '_' {
				cuts = append(cuts, i, i+1)
			}
		}
		if len(cuts) == 1 || len(cuts) > 200 {
			return w
		}
		cuts = append(cuts, len(low))
		var b strings.Builder
		for i := 0; i < len(cuts)-1; {
			done := false
			for j := min(len(cuts)-1, i+2*r.longest); j > i && !done; j-- {
				if got, ok := r.words[low[cuts[i]:cuts[j]]]; ok {
					b.WriteString(got)
					i, done = j, true
				}
			}
			if !done {
				b.WriteString(w[cuts[i]:cuts[i+1]])
				i++
			}
		}
		return b.String()
	})
}
