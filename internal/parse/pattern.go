package parse

import (
	"bytes"
	"net/netip"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used: a
// program that reads the outputs of one command does not pay for the
// expressions of all others.
type Pattern struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp
	required   [][]byte // a match contains one of them at least; nil: not known
	lowerCase  bool     // required is in lower case, and looked for in the text in lower case
}

// Lazy is the pattern of an expression. One that does not compile panics at
// its first use, as regexp.MustCompile does.
func Lazy(expression string) *Pattern { return &Pattern{expression: expression} }

// UnmarshalYAML reads an expression, or a list of alternatives, that matches
// whole lines.
func (p *Pattern) UnmarshalYAML(decode func(any) error) error {
	var alternatives []string
	if err := decode(&alternatives); err != nil {
		alternatives = []string{""}
		if err := decode(&alternatives[0]); err != nil {
			return err
		}
	}
	p.expression = "(?m)" + strings.Join(alternatives, "|")
	return nil
}

// Regexp is the compiled expression.
func (p *Pattern) Regexp() *regexp.Regexp {
	p.once.Do(func() {
		p.compiled = regexp.MustCompile(p.expression)
		parsed, err := syntax.Parse(p.expression, syntax.Perl)
		if err != nil {
			return
		}
		p.lowerCase = foldsCase(parsed)
		for _, text := range required(parsed.Simplify()) {
			if p.lowerCase {
				text = strings.ToLower(text)
			}
			p.required = append(p.required, []byte(text))
		}
	})
	return p.compiled
}

// MatchString is regexp.Regexp's, and so are those below.
func (p *Pattern) MatchString(s string) bool { return p.Regexp().MatchString(s) }

// Match looks for the texts that every match contains first.
func (p *Pattern) Match(b []byte) bool { return p.Possible(b) && p.Regexp().Match(b) }

// Possible is false for a text that cannot match, as far as that shows without trying the expression.
func (p *Pattern) Possible(b []byte) bool {
	p.Regexp()
	if p.required == nil {
		return true
	}
	if p.lowerCase {
		b = lowerCase(b)
	}
	contained := func(text []byte) bool { return bytes.Contains(b, text) }
	return slices.ContainsFunc(p.required, contained)
}

func (p *Pattern) FindStringSubmatch(s string) []string { return p.Regexp().FindStringSubmatch(s) }

func (p *Pattern) ReplaceAllString(s, by string) string { return p.Regexp().ReplaceAllString(s, by) }

// Scan takes what the groups of the pattern match in a text into pointers to texts, numbers,
// or pointers to numbers. A group that matches nothing leaves its value; nil passes over one.
// It is false for a text that does not match or a number that does not fit.
func (p *Pattern) Scan(s string, into ...any) bool {
	m := p.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	for i, to := range into {
		if m[i+1] != "" && !scan(m[i+1], to) {
			return false
		}
	}
	return true
}

// Fill gives the tagged fields of a struct what the groups with their names match in a text. A group that matches
// nothing leaves its field. It is false for a text that does not match or a value that is not of the field's type.
func (p *Pattern) Fill(s string, v any) bool {
	m := p.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	for name, to := range Tagged(v) {
		i := p.Regexp().SubexpIndex(name)
		if i >= 0 && m[i] != "" && !scan(m[i], to) {
			return false
		}
	}
	return true
}

// scan is Scan of one text. A number that does not fit leaves what is there; one that begins with 0x is hexadecimal.
func scan(text string, to any) bool {
	switch to := to.(type) {
	case *string:
		*to = text
		return true
	case *int:
		n, err := strconv.Atoi(text)
		return set(to, n, err)
	case **int:
		n, err := strconv.Atoi(text)
		return set(to, &n, err)
	case *uint64:
		digits, hexadecimal := strings.CutPrefix(text, "0x")
		base := 10
		if hexadecimal {
			base = 16
		}
		n, err := strconv.ParseUint(digits, base, 64)
		return set(to, n, err)
	case **uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		return set(to, &n, err)
	case *float64:
		n, err := strconv.ParseFloat(text, 64)
		return set(to, n, err)
	case **float64:
		n, err := strconv.ParseFloat(text, 64)
		return set(to, &n, err)
	case *bool: // the text is there
		*to = text != ""
		return true
	case **bool:
		n, err := strconv.ParseUint(text, 10, 1)
		return set(to, new(n == 1), err)
	case *netip.Addr:
		a, err := netip.ParseAddr(text)
		return set(to, a, err)
	}
	return false
}

func set[T any](to *T, v T, err error) bool {
	if err == nil {
		*to = v
	}
	return err == nil
}
