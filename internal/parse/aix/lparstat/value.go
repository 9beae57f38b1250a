package lparstat

import (
	"strings"

	"seaworthy/internal/parse"
)

// NewField reads a value as lparstat prints it: "0.30", "16384 MB", "30.00%",
// "Shared-SMT-4", "-".
func NewField(name, text string) Field {
	f, _ := readField(name, text)
	return f
}

// readField reads a field, and says what is doubtful about its value.
func readField(name, text string) (f Field, doubt string) {
	f = Field{Name: name, Text: text}
	if strings.HasSuffix(name, "Name") || strings.HasSuffix(name, "Type") || strings.HasSuffix(name, "Mode") {
		return f, "" // a name is not a number, whatever it looks like
	}
	number := text
	for _, unit := range []string{"MB", "GB", "kB", "KB", "TB", "%"} {
		if before, ok := strings.CutSuffix(text, unit); ok {
			number, f.Unit = strings.TrimSpace(before), unit
		}
	}
	n, comma, ok := parse.Decimal(number)
	switch {
	case !ok:
		f.Unit = ""
		if strings.Trim(text, "0123456789.,%") == "" && strings.ContainsAny(text, ",.") {
			doubt = text + " cannot be read as a number with certainty"
		}
		return f, doubt
	case strings.HasSuffix(name, "Percentage") && f.Unit != "%":
		return f, "a percentage without its sign: cut off"
	case strings.HasSuffix(name, " Memory") && f.Unit == "":
		return f, "a memory size without its unit: cut off"
	case comma:
		doubt = "read " + text + " as a number with a decimal comma"
	}
	f.Number = &n
	return f, doubt
}
