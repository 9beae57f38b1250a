package lparstat

import (
	"strings"

	"seaworthy/dialect/layout"
)

// NewValue reads a value as lparstat prints it: "0.30", "16384 MB", "30.00%",
// "Shared-SMT-4", "-".
func NewValue(text string) Value {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return Value{Text: text}
	}
	n := 1
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == '.' || text[n] == ',') {
		n++
	}
	rest := text[n:]
	unit := strings.TrimLeft(rest, blanks)
	gap := rest[:len(rest)-len(unit)]
	switch unit {
	case "MB", "GB", "KB", "TB", "%":
	case "":
		if gap == "" {
			break
		}
		fallthrough
	default:
		return Value{Text: text}
	}
	d, ok := layout.ParseDecimal(text[:n])
	if !ok {
		return Value{Text: text}
	}
	return Value{Number: &d.Value, Unit: unit, style: style{places: d.Places, comma: d.Comma, gap: gap}}
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
