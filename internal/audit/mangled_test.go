package audit

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/test/draw"
)

// byLine gives each line to f, without its line end.
func byLine(f func(i int, line string) string) func(string) string {
	return func(s string) string {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = f(i, lines[i])
		}
		return strings.Join(lines, "\n")
	}
}

// wrapped breaks lines as a narrow terminal does: anywhere.
func wrapped(columns int) func(string) string {
	return byLine(func(_ int, line string) string {
		var b strings.Builder
		for len(line) > columns {
			b.WriteString(line[:columns] + "\n")
			line = line[columns:]
		}
		return b.String() + line
	})
}

func narrow(columns int) func(string) string {
	return byLine(func(_ int, line string) string { return line[:min(len(line), columns)] })
}

func everyOther(i int, line string) string {
	if i%2 == 1 {
		return ""
	}
	return line
}

func each(old ...string) func(string) string { return strings.NewReplacer(old...).Replace }

// mangled are ways in which saved outputs differ from what a host printed.
var mangled = map[string]func(string) string{
	"broken at 80 columns":     wrapped(80),
	"broken at 72 columns":     wrapped(72),
	"broken at 40 columns":     wrapped(40),
	"cut at 70 columns":        narrow(70),
	"cut at 50 columns":        narrow(50),
	"Windows-1252":             each("Enable", "Aktivi\xe9", "Transmit", "\xdcbertr", "Physical", "Phys\xfd"),
	"decimal commas":           each(".", ","),
	"thousands with points":    each("262144", "262.144"),
	"thousands with commas":    each("262144", "262,144"),
	"True and False in French": each("True", "Vrai", "False", "Faux"),
	"Available in French":      each("Available", "Disponible", "Defined", "D\xe9fini"),
	"messages between lines":   each("\n", "\n0403-057 Syntax error\n"),
	"warnings between lines":   each("\n", "\nWarning: something 12345 happened\n"),
	"a message for each value": each(": ", ": ksh: x: not found\n"),
	"blanks became TABs":       each("        ", "\t"),
	"hard blanks":              each("  ", "\xa0 "),
	"hard blanks in UTF-8":     each("  ", "\u00a0 "),
	"wide colons":              each(":", "\uff1a"),
	"colons set off":           each(":", " :"),
	"capitals":                 strings.ToUpper,
	"quoted in a mail":         byLine(func(_ int, line string) string { return "> " + line }),
	"a time before each line":  byLine(func(_ int, line string) string { return "12:01:02 " + line }),
	"the first columns gone":   byLine(func(_ int, line string) string { return line[min(len(line), 4):] }),
	"every other line":         byLine(everyOther),
	"twice":                    func(s string) string { return s + s },
	"a byte order mark":        func(s string) string { return "\ufeff" + s },
	"a pager's prompts":        each("\n\n", "\n--More--(12%)\r\n"),
	"UTF-16": func(s string) string {
		out := []byte{0xff, 0xfe}
		for i := range len(s) {
			out = append(out, s[i], 0)
		}
		return string(out)
	},
}

// However outputs got mangled, a healthy host stays without a finding: what
// cannot be read is unknown, not wrong.
func TestMangledTextsGiveNoFinding(t *testing.T) {
	set := builtIn(t)
	healthy := named(t, set, assembled(texts(t)), rule.Options{}, finding.Info)
	for _, name := range draw.OneIn(t, 5, slices.Sorted(maps.Keys(mangled))) {
		mangle := mangled[name]
		t.Run(name, func(t *testing.T) {
			judge := func(what string, all map[string]string) {
				for _, id := range named(t, set, assembled(all), rule.Options{}, finding.Info) {
					if !slices.Contains(healthy, id) {
						t.Errorf("%s: got finding %s, want none that the host does not have", what, id)
					}
				}
			}
			all := texts(t)
			for k := range all {
				all[k] = mangle(all[k])
			}
			judge("every output", all)
			for k := range all {
				if strings.Contains(k, "ifconfig") || strings.Contains(k, "entstat") || strings.Contains(k, "no-L") || strings.Contains(k, "lsattr-El.en") {
					one := texts(t)
					one[k] = mangle(one[k])
					judge(k, one)
				}
			}
		})
	}
}
