package parse

import (
	"regexp"
	"testing"
)

// What a text must contain is looked for before an expression is tried, and never changes what matches.
func TestPossible(t *testing.T) {
	texts := []string{"", "en0: flags=1e", "Packets: 12\nBytes: 13\n", "vswitch=ETHERNET0", "PACKETS", "\xff", "a\u017fb", "x1", "lpar_id",
		"link LO\u017ft", "lin\u212a lost", "Nic Link is \xff Down", "\u00dcBER", "\u00fcber", "TCP: OUT of Memory"}
	for expression, excludes := range map[string]string{
		`(?m)^Packets: +\d`:               "Bytes: 12",
		`(?m)^(?:lpar_id|vswitch|en\d):?`: "slot_num=3",
		`(?:flags=)+[0-9a-f]{1,4}`:        "flag 1e",
		`(?:Bytes: ){1,2}13`:              "Packets: 13",
		`(?i)packets`:                     "Bytes: 12",
		`(?i)link (?:lost|is .* down)`:    "NIC is up",
		`TCP: (?i:out of memory)`:         "tcp: out",
		`(?i)über`:                        "",
		`(?:Bytes)?\d`:                    "",
		`a|`:                              "",
		`(?:Bytes|)`:                      "",
		`\x{FFFD}`:                        "",
		`(?i:s)b`:                         "c",
		`^$`:                              "",
	} {
		p, plain := Lazy(expression), regexp.MustCompile(expression)
		for _, text := range texts {
			if got, want := p.Match([]byte(text)), plain.MatchString(text); got != want {
				t.Errorf("%s on %q: got %t, want %t", expression, text, got, want)
			}
		}
		if excludes != "" && p.Possible([]byte(excludes)) {
			t.Errorf("%s: %q is tried", expression, excludes)
		}
	}
}
