package lparstat

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

var measure = dialect.Lazy(`^(-?[0-9][0-9.,]*)(\s*)(MB|GB|KB|TB|%)?$`)

// NewValue reads a value as lparstat prints it: "0.30", "16384 MB", "30.00%",
// "Shared-SMT-4", "-".
func NewValue(text string) Value {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return Value{Text: text}
	}
	m := measure.FindStringSubmatch(text)
	if m == nil || (m[3] == "" && m[2] != "") {
		return Value{Text: text}
	}
	d, ok := layout.ParseDecimal(m[1])
	if !ok {
		return Value{Text: text}
	}
	return Value{Number: &d.Value, Unit: m[3], style: style{places: d.Places, comma: d.Comma, gap: m[2]}}
}

// String prints the value as lparstat does.
func (v Value) String() string {
	if v.Number == nil {
		return v.Text
	}
	return v.style.print(*v.Number) + v.style.gap + v.Unit
}

func (s style) print(n float64) string {
	return layout.Decimal{Value: n, Places: s.places, Comma: s.comma}.String()
}

// doubtful tells why a value cannot be what lparstat printed, or "".
func doubtful(name string, v Value) string {
	if v.Number == nil {
		return ""
	}
	switch {
	case strings.HasSuffix(name, "Percentage") && v.Unit != "%":
		return "a percentage without its sign: cut off"
	case strings.HasSuffix(name, " Memory") && v.Unit == "":
		return "a memory size without its unit: cut off"
	}
	return ""
}

// isName tells the labels whose value is a name, whatever it looks like.
func isName(label string) bool {
	return strings.HasSuffix(label, "Name") || strings.HasSuffix(label, "Type") || strings.HasSuffix(label, "Mode")
}
