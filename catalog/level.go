package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseLevel reads a software level: "7200-05-03-2148" or "7200-05" of AIX,
// "3.1.2.21" of a VIOS, "5.14.0-427.el9" of a Linux kernel. Levels of one
// platform compare by slices.Compare. What follows the first letter is dropped.
func ParseLevel(text string) ([]int, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '.' || r == '_' })
	var level []int
	for _, f := range fields {
		digits := len(f) - len(strings.TrimLeft(f, "0123456789"))
		if digits == 0 {
			break
		}
		n, err := strconv.Atoi(f[:digits])
		if err != nil {
			break
		}
		level = append(level, n)
		if digits < len(f) {
			break
		}
	}
	if len(level) == 0 {
		return nil, fmt.Errorf("level %q: no number at its start", text)
	}
	return level, nil
}

// CompareLevels orders two levels of one platform: -1, 0 or 1.
func CompareLevels(a, b string) (int, error) {
	x, err := ParseLevel(a)
	if err != nil {
		return 0, err
	}
	y, err := ParseLevel(b)
	if err != nil {
		return 0, err
	}
	return slices.Compare(x, y), nil
}

// Default gives the attribute's default at a level, or false where the
// catalogue has none for it. Without a level, only a default that holds at
// all levels counts.
func (a Attribute) Default(level string) (string, bool) {
	for _, d := range a.Defaults {
		if d.holds(level) {
			return d.Value, true
		}
	}
	return "", false
}

func (d Default) holds(level string) bool {
	from, err := CompareLevels(level, d.From)
	below, err2 := CompareLevels(level, d.Below)
	return (d.From == "" || err == nil && from >= 0) && (d.Below == "" || err2 == nil && below < 0)
}
