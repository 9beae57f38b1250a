package redact

import (
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

var (
	macShape = parse.Lazy(`\b[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})\b|` +
		`\b[0-9a-f]{1,2}(?:\.[0-9a-f]{1,2}){5}\b`)
	// a run of what may be one address, path or name, and the blanks behind it
	run       = parse.Lazy(`([0-9A-Za-z_.:%/@+-]*[0-9A-Za-z_][0-9A-Za-z_.:%/@+-]*)( *)`)
	uuidShape = parse.Lazy(`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	// wwnDigits is a WWN that happens to have digits alone, as no counter begins.
	wwnDigits  = parse.Lazy(`^(?:5005|1000|2\d00)\d{12}$`)
	longNumber = parse.Lazy(`\b\d{6,}\b`)
	separator  = parse.Lazy(`[.-]+`)
	inside     = parse.Lazy(`(?:^|[^0-9.])((?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?)(?:[^0-9./]|$)`)
	// domainShape is what follows a host's or a user's name.
	domainShape = parse.Lazy(`^(?:[a-z0-9-]+\.)+[a-z]{2,}$`)
	version     = parse.Lazy(`(?i)(?:level|version|release|ioslevel|VIOS Level is|rpm|fileset|bos\.\S*)[ \t:=]*$`)
	addressed   = parse.Lazy(`(?i)\b(?:inet6?|netaddr|address|gateway|server|default|via|src|dst|ip|peer|netmask|broadcast|route|` +
		`name server|local|resolver)\b`)
)

// In these outputs four numbers with dots are an address whatever they are, in
// those a version.
var (
	addresses = map[string]bool{"netstat-in": true, "netstat-rn": true, "ifconfig-a": true, "ip-addr": true, "ip-addr-text": true,
		"ip-route": true}
	levels = map[string]bool{"ioslevel": true, "oslevel-s": true, "lsmcode": true, "uname-a": true, "os-release": true}
)

// prose are the outputs in which people, or programs of any kind, have written what
// they like: a long number there may be a serial number, or a customer's.
var prose = map[string]bool{"errpt": true, "errpt-a": true, "lscfg": true, "lsvpd": true}

// span is a part of a text, and what replaces it.
type span struct {
	from, to int
	by       string
}

// Text replaces what must not be given away in an output. id is its catalogued
// name.
func (r *Redactor) Text(id string, text []byte) []byte {
	return r.text(id, text, func(int) bool { return prose[id] })
}

// text is Text, given where prose stands, by the byte.
func (r *Redactor) text(id string, text []byte, free func(at int) bool) []byte {
	s := string(text)
	var spans []span
	for _, l := range said() {
		for _, m := range l.at.Regexp().FindAllStringSubmatchIndex(s, -1) {
			spans = append(spans, span{m[2], m[3], l.of(r.key, s[m[2]:m[3]])})
		}
	}
	slices.SortStableFunc(spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, x := range append(spans, span{len(s), len(s), ""}) {
		if x.from < at {
			continue // inside what another label has replaced
		}
		r.runs(&b, id, s, at, x.from, free)
		b.WriteString(x.by)
		at = x.to
	}
	return []byte(b.String())
}

// String replaces in other texts: an error, a gap.
func (r *Redactor) String(s string) string {
	return string(r.text("", []byte(s), func(int) bool { return true }))
}

// runs replaces in s[from:to], and keeps columns where there is room.
func (r *Redactor) runs(b *strings.Builder, id, s string, from, to int, free func(at int) bool) {
	at := from
	for _, m := range run.Regexp().FindAllStringSubmatchIndex(s[from:to], -1) {
		begin, end, blanks := from+m[2], from+m[3], m[5]-m[4]
		got := r.run(id, s[strings.LastIndexByte(s[:begin], '\n')+1:begin], s[begin:end])
		if got == s[begin:end] && free(begin) {
			got = longNumber.Regexp().ReplaceAllStringFunc(got, r.key.digits)
		}
		if blanks > 1 {
			blanks = max(1, blanks+end-begin-len(got))
		}
		b.WriteString(s[at:begin] + got + strings.Repeat(" ", blanks))
		at = from + m[1]
	}
	b.WriteString(s[at:to])
}

// run replaces a word with everything that hangs on it; line is what stands
// before it.
func (r *Redactor) run(id, line, s string) string {
	if user, domain, ok := strings.Cut(s, "@"); ok && domainShape.MatchString(strings.ToLower(domain)) {
		return r.key.Name(user) + "@" + r.key.Name(domain)
	}
	if uuidShape.MatchString(s) || wwnDigits.MatchString(s) {
		return r.key.Hex(s)
	}
	if macShape.MatchString(s) {
		return macShape.Regexp().ReplaceAllStringFunc(s, r.key.mac)
	}
	if p, err := netip.ParsePrefix(s); err == nil && r.isAddress(id, line, p.Addr()) {
		return r.key.Prefix(p).String()
	}
	if a, err := netip.ParseAddr(s); err == nil && r.isAddress(id, line, a) {
		return r.key.Addr(a).String()
	}
	if t := strings.Trim(s, ".:/%@+-"); t != s && t != "" {
		at := strings.Index(s, t)
		return s[:at] + r.run(id, line+s[:at], t) + s[at+len(t):]
	}
	if m := inside.Regexp().FindStringSubmatchIndex(s); m != nil && m[3]-m[2] < len(s) {
		return r.run(id, line, s[:m[2]]) + r.run(id, line+s[:m[2]], s[m[2]:m[3]]) + r.run(id, line+s[:m[3]], s[m[3]:])
	}
	for _, sep := range []string{"/", "%", ":", "@", "+"} {
		if parts := strings.Split(s, sep); len(parts) > 1 {
			for i, p := range parts {
				parts[i] = r.run(id, line, p)
			}
			return strings.Join(parts, sep)
		}
	}
	return r.name(s)
}

// isAddress distinguishes an address from a version in four parts: those of AIX,
// VIOS and filesets begin with 1 to 8.
func (r *Redactor) isAddress(id, line string, a netip.Addr) bool {
	switch {
	case a.Is6() || addresses[id]:
		return true
	case levels[id] || version.MatchString(line):
		return false
	}
	return a.As4()[0] > 8 || addressed.MatchString(line)
}

// name replaces a word that may have dots and dashes, whole where it is known
// and else by its parts.
func (r *Redactor) name(s string) string {
	low := strings.ToLower(s)
	if of := r.known[low]; of != nil {
		return of(r.key, s)
	}
	if label, domain, ok := strings.Cut(low, "."); ok && r.known[label] != nil && domainShape.MatchString(domain) {
		return r.key.Name(low)
	}
	cuts := separator.Regexp().FindAllStringIndex(low, 200)
	cuts = append(append([][]int{{0, 0}}, cuts...), []int{len(s), len(s)})
	var b strings.Builder
	for i := 0; i+1 < len(cuts); {
		j := min(len(cuts)-1, i+r.longest)
		for j > i+1 && r.known[low[cuts[i][1]:cuts[j][0]]] == nil {
			j--
		}
		part := s[cuts[i][1]:cuts[j][0]]
		switch of := r.known[strings.ToLower(part)]; {
		case of != nil:
			part = of(r.key, part)
		case !harmless(part):
			part = r.key.word(part)
		}
		b.WriteString(part + s[cuts[j][0]:cuts[j][1]])
		i = j
	}
	return b.String()
}
