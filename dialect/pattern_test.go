package dialect_test

import (
	"testing"

	"seaworthy/dialect"
)

func TestNumbered(t *testing.T) {
	for line, want := range map[string]bool{
		"lsattr: 0514-519 The following device was not found": true,
		"0821-514 ioctl":        true,
		"a-b 0514-519":          true,
		"0514-519":              true,
		"x0514-519y":            true,
		"514-519 is too short":  false,
		"0514-51":               false,
		"0514-5x9":              false,
		"U9080.M9S.78-V1-C2-T1": false,
		"------------":          false,
		"-":                     false,
		"":                      false,
	} {
		if got := dialect.Numbered(line); got != want {
			t.Errorf("Numbered(%q): got %v, want %v", line, got, want)
		}
	}
}
