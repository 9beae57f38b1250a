package redact

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// AIX prints the bytes of a MAC without leading zeros in places.
	macShape = parse.Lazy(`\b[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5}\b|\b[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}\b|` +
		`\b[0-9a-f]{1,2}(?:\.[0-9a-f]{1,2}){5}\b`)
	// macByFours is a MAC as switches print it: 3243.0109.0007.
	macByFours = parse.Lazy(`\b[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\b`)
	// wwnShape is a WWN by bytes; an IPv6 address with eight groups that short is improbable.
	wwnShape = parse.Lazy(`\b[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){7}\b`)
	// run holds what may be one address, path or name in any script, escaped or not, and the blanks behind it. The
	// escape of a line end or a quote in JSON is none.
	run = parse.Lazy(`\\[bfnrt"\\/]|((?:[` + letter + `.:%/@+-]|` + escape + `)*(?:[` + letter + `]|` + escape +
		`)(?:[` + letter + `.:%/@+-]|` + escape + `)*)( *)`)
	escaped   = parse.Lazy(escape + `|%[0-9A-Fa-f]{2}`)
	uuidShape = parse.Lazy(`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	// wwnDigits is a WWN that happens to have digits alone, as no counter begins.
	wwnDigits  = parse.Lazy(`^(?:5005|1000|2\d00)\d{12}$`)
	longNumber = parse.Lazy(`\b\d{6,}\b`)
	separator  = parse.Lazy(`[.-]+`)
	inside     = parse.Lazy(`(?:^|[^0-9])((?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?)(?:[^0-9/]|$)`)
	// dashed is an IPv4 address in a host's name: ip-10-1-2-3.
	dashed = parse.Lazy(`(?:^|[^0-9-]|[^0-9-][^-]*-)((?:\d{1,3}-){3}\d{1,3})(?:-?[^0-9-]|$)`)
	// padded is an IPv4 address by its digits; some programs print leading zeros.
	padded       = parse.Lazy(`^(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?$`)
	leadingZeros = parse.Lazy(`\b0+(\d)`)
	// digitGroups is a number of a telephone, an account or a card; a date or a level of AIX begins as one too.
	digitGroups = parse.Lazy(`^\d+(?:-\d+)+$`)
	dateOrLevel = parse.Lazy(`^\d{4}-\d{2}-`)
	digits      = parse.Lazy(`\d+`)
	// domainShape holds what follows a host's or a user's name.
	domainShape = parse.Lazy(`^(?:[a-z0-9-]+\.)+[a-z]{2,}$`)
	// behindLocation ends a line at a place where the labels of a location code follow: -V1-C32897.
	behindLocation = parse.Lazy(`\bU\d[0-9A-Z]{3}\.[0-9A-Z]{3}\.[0-9A-Z]{7}-?$`)
	locationLabel  = parse.Lazy(`^(?:-?[A-Z]\d{1,5})+$`)
	version        = parse.Lazy(`(?i)(?:level|version|release|ioslevel|VIOS Level is|rpm|fileset|bos\.\S*)[ \t:=]*$`)
)

// letter is what names consist of in any script, and bytes that are no UTF-8: the
// inside of a class. escape is a letter as JSON, a shell or udev writes it.
const (
	letter = `\pL\pM\pN\p{Cf}_\x{FFFD}`
	escape = `\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[0-7]{3}`
)

// levels are outputs in which four numbers with dots are a level.
var levels = map[string]bool{"ioslevel": true, "oslevel-s": true, "lsmcode": true, "uname-a": true, "os-release": true}

// place is where a word stands.
type place struct {
	id   string // the output
	line string // what stands before it in its line
	free bool   // in what people or programs of any kind have written: only whole known words stay
}

// after is the place behind a further text.
func (p place) after(s string) place {
	p.line += s
	return p
}

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
			spans = append(spans, span{m[2], m[3], r.labelled(l, s[m[2]:m[3]])})
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

// labelled replaces what stands at a label.
func (r *Redactor) labelled(l label, s string) string {
	if l.free {
		return r.String(s)
	}
	return l.of(r.key, s)
}

// String replaces in other texts: an error, a gap.
func (r *Redactor) String(s string) string {
	return string(r.text("", []byte(s), func(int) bool { return true }))
}

// runs replaces in s[from:to], and keeps columns where there is room.
func (r *Redactor) runs(b *strings.Builder, id, s string, from, to int, free func(at int) bool) {
	at := from
	for _, m := range run.Regexp().FindAllStringSubmatchIndex(s[from:to], -1) {
		if m[2] < 0 { // the escape of a line end or a quote
			continue
		}
		begin, end, blanks := from+m[2], from+m[3], m[5]-m[4]
		p := place{id: id, line: s[strings.LastIndexByte(s[:begin], '\n')+1 : begin], free: free(begin)}
		got := r.run(p, s[begin:end])
		if got == s[begin:end] && p.free {
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

// run replaces a word with everything that hangs on it.
func (r *Redactor) run(p place, s string) string {
	if user, domain, ok := strings.Cut(s, "@"); ok && domainShape.MatchString(strings.ToLower(domain)) {
		return r.key.Name(user) + "@" + r.key.Name(domain)
	}
	if uuidShape.MatchString(s) || wwnDigits.MatchString(s) {
		return r.key.Hex(s)
	}
	if wwnShape.MatchString(s) {
		return r.parts(p, s, wwnShape, r.key.wwn)
	}
	if macShape.MatchString(s) {
		return r.parts(p, s, macShape, r.key.macOrMore)
	}
	if macByFours.MatchString(s) {
		return r.parts(p, s, macByFours, r.key.macByFours)
	}
	if got, ok := r.address(p, s); ok {
		return got
	}
	if escaped.MatchString(s) {
		if plain := unescape(s); r.run(p, plain) != plain {
			return r.key.Name(plain)
		}
		return s
	}
	if t := strings.Trim(s, ".:/%@+-"); t != s && t != "" {
		at := strings.Index(s, t)
		return s[:at] + r.run(p.after(s[:at]), t) + s[at+len(t):]
	}
	if m := inside.Regexp().FindStringSubmatchIndex(s); m != nil && m[3]-m[2] < len(s) {
		return r.run(p, s[:m[2]]) + r.run(p.after(s[:m[2]]), s[m[2]:m[3]]) + r.run(p.after(s[:m[3]]), s[m[3]:])
	}
	for _, sep := range []string{"/", "%", ":", "@", "+"} {
		if parts := strings.Split(s, sep); len(parts) > 1 {
			for i, part := range parts {
				parts[i] = r.run(p, part)
			}
			return strings.Join(parts, sep)
		}
	}
	if locationLabel.MatchString(s) && behindLocation.MatchString(p.line) {
		return s
	}
	return r.name(s, p.free)
}

// parts replaces what has a shape by a function, and the rest of a word as any other.
func (r *Redactor) parts(p place, s string, shape *parse.Pattern, by func(string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range shape.Regexp().FindAllStringIndex(s, -1) {
		if at < m[0] {
			b.WriteString(r.run(p.after(s[:at]), s[at:m[0]]))
		}
		b.WriteString(by(s[m[0]:m[1]]))
		at = m[1]
	}
	if at < len(s) {
		b.WriteString(r.run(p.after(s[:at]), s[at:]))
	}
	return b.String()
}

// address replaces an address, also with the length of its network or a zone;
// false: it is none.
func (r *Redactor) address(p place, s string) (string, bool) {
	if padded.MatchString(s) {
		s = leadingZeros.Regexp().ReplaceAllString(s, "$1")
	}
	prefix, err := netip.ParsePrefix(s)
	if err == nil && isAddress(p, prefix.Addr()) {
		return r.key.Prefix(prefix).String(), true
	}
	a, err := netip.ParseAddr(s)
	if err == nil && isAddress(p, a) {
		got := r.key.Addr(a.WithZone("")).String()
		if a.Zone() != "" {
			got += "%" + r.run(p, a.Zone())
		}
		return got, true
	}
	return "", false
}

// isAddress distinguishes an address from a version in four parts: those of AIX,
// VIOS and filesets begin with 1 to 8, and something says that they are one.
func isAddress(p place, a netip.Addr) bool {
	return a.Is6() || a.As4()[0] > 8 || !levels[p.id] && !version.MatchString(p.line)
}

// unescape gives the letters that a text escapes.
func unescape(s string) string {
	return escaped.Regexp().ReplaceAllStringFunc(s, func(e string) string {
		digits, base := strings.TrimLeft(e, `%\ux`), 16
		if !strings.ContainsAny(e[1:2], "ux") && e[0] != '%' {
			base = 8
		}
		n, _ := strconv.ParseUint(digits, base, 16) // digits: a shape found it
		if strings.HasPrefix(e, `\u`) {
			return string(rune(n))
		}
		return string([]byte{byte(n)})
	})
}

// name replaces a word that may have dots and dashes, whole where it is known
// and else by its parts.
func (r *Redactor) name(s string, free bool) string {
	low := strings.ToLower(s)
	if of := r.known[low]; of != nil {
		return of(r.key, s)
	}
	if label, domain, ok := strings.Cut(low, "."); ok && r.known[label] != nil && domainShape.MatchString(domain) {
		return r.key.Name(low)
	}
	if free && digitGroups.MatchString(s) && !dateOrLevel.MatchString(s) && len(strings.ReplaceAll(s, "-", "")) > 8 {
		return digits.Regexp().ReplaceAllStringFunc(s, r.key.digits)
	}
	if m := dashed.Regexp().FindStringSubmatchIndex(s); m != nil {
		a, err := netip.ParseAddr(leadingZeros.Regexp().ReplaceAllString(strings.ReplaceAll(s[m[2]:m[3]], "-", "."), "$1"))
		if err == nil && r.key.Addr(a) != a {
			return r.name(s[:m[2]], free) + strings.ReplaceAll(r.key.Addr(a).String(), ".", "-") + r.name(s[m[3]:], free)
		}
	}
	return r.byParts(s, free)
}

// byParts replaces the parts of a name between dots and dashes: the longest that are known, and words.
func (r *Redactor) byParts(s string, free bool) string {
	cuts := separator.Regexp().FindAllStringIndex(s, 200)
	cuts = append(append([][]int{{0, 0}}, cuts...), []int{len(s), len(s)})
	var b strings.Builder
	for i := 0; i+1 < len(cuts); {
		j := min(len(cuts)-1, i+r.longest)
		for j > i+1 && r.known[strings.ToLower(s[cuts[i][1]:cuts[j][0]])] == nil {
			j--
		}
		part := s[cuts[i][1]:cuts[j][0]]
		switch of := r.known[strings.ToLower(part)]; {
		case of != nil:
			part = of(r.key, part)
		case free && !harmlessWord(part), !free && !harmless(part):
			part = r.key.word(part)
		}
		b.WriteString(part + s[cuts[j][0]:cuts[j][1]])
		i = j
	}
	return b.String()
}
