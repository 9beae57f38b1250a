package normalize

import (
	"strings"
	"testing"
)

// Panes side by side are read one after the other; a table with lines in it is left.
func TestPanes(t *testing.T) {
	rows := func(columns ...[]string) string {
		var b strings.Builder
		for i := range columns[0] {
			for n, c := range columns {
				if n > 0 {
					b.WriteString("│")
				}
				b.WriteString(c[i] + strings.Repeat(" ", 12-len([]rune(c[i]))))
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	left, right := []string{"# uname -n", "wéb1", "# ip", "1: lo", "", ""}, []string{"# uname -n", "web2", "", "", "# x", "y"}
	third := []string{"a", "b", "c", "d", "e", "f"}
	const first, second = "# uname -n\nwéb1\n# ip\n1: lo\n", "# uname -n\nweb2\n\n\n# x\ny\n"
	for name, c := range map[string]struct {
		text, want string
	}{
		"two":                {rows(left, right), first + second},
		"three":              {rows(left, right, third), first + second + "a\nb\nc\nd\ne\nf\n"},
		"with a status line": {rows(left, right) + "[0] 0:bash*\n", first + second},
		"a wrapped line": {rows([]string{"a", "1: lo mtu 65", "536 qdisc", "b", "c"}, right[:5]),
			"a\n1: lo mtu 65536 qdisc\nb\nc\n" + strings.TrimSuffix(second, "y\n")},
		"a thick line":      {strings.ReplaceAll(rows(left, right), "│", "┃"), first + second},
		"a plain bar":       {strings.ReplaceAll(rows(left, right), "│", "|"), first + second},
		"columns":           {strings.ReplaceAll(rows(third, third), "│", "|"), ""},
		"a table":           {rows(left, right) + "──────┼────\n", ""},
		"another column":    {rows(left, right) + "a │ b\n" + rows(left, right), ""},
		"few lines":         {"a │ b\nc │ d\n", ""},
		"nothing before it": {strings.Repeat("│ a\n", 9), ""},
	} {
		got, ok := panes([]byte(c.text))
		if string(got) != c.want || ok != (c.want != "") {
			t.Errorf("%s: got %q %v, want %q", name, got, ok, c.want)
		}
	}
}
