package dialect

import (
	"regexp"
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
}

// Lazy is the pattern of an expression. One that does not compile panics at
// its first use, as regexp.MustCompile does.
func Lazy(expression string) *Pattern { return &Pattern{expression: expression} }

// Regexp is the compiled expression.
func (p *Pattern) Regexp() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.expression) })
	return p.compiled
}

// MatchString is regexp.Regexp's, and so are those below.
func (p *Pattern) MatchString(s string) bool { return p.Regexp().MatchString(s) }

func (p *Pattern) Match(b []byte) bool { return p.Regexp().Match(b) }

func (p *Pattern) FindStringSubmatch(s string) []string { return p.Regexp().FindStringSubmatch(s) }

func (p *Pattern) ReplaceAllString(s, by string) string { return p.Regexp().ReplaceAllString(s, by) }

// Numbered tells whether a line holds a number as AIX's message catalogues
// have them, 0514-519. Lines that do not are no messages; most need no closer
// look.
func Numbered(line string) bool {
	for from := 4; from+3 < len(line); from++ {
		n := strings.IndexByte(line[from:], '-')
		if n < 0 {
			return false
		}
		if from += n; digits(line[from-4:from], 4) && digits(line[from+1:], 3) {
			return true
		}
		for from+1 < len(line) && line[from+1] == '-' { // a ruler
			from++
		}
	}
	return false
}

// digits tells whether a text begins with n digits.
func digits(text string, n int) bool {
	for i := range n {
		if i == len(text) || text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
