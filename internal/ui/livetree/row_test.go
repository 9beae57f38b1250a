package livetree_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/livetree"
)

// What hosts print never controls a terminal.
func TestRowsAreHarmless(t *testing.T) {
	const evil = "x\x1b[2J\n\u202e"
	h := &live.Host{Name: evil, Platform: evil, State: live.Up, Elements: []*live.Element{{Name: evil, Interfaces: []string{evil}, Via: []string{evil}}}}
	away := &live.Host{Name: "b", State: live.Away, Since: new(time.Now()), Why: evil}
	for _, row := range livetree.Rows(&live.Frame{Systems: []*live.System{{Name: evil, Hosts: []*live.Host{h, away}}}}) {
		if strings.ContainsFunc(row.Name()+row.Note(), unicode.IsControl) || strings.Contains(row.Name()+row.Note(), "\u202e") {
			t.Errorf("a control character in %q %q", row.Name(), row.Note())
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.04: "0.0", 0.5: "0.5", 9.94: "9.9", 9.96: "10", 123456: "123456", 9_999_999: "9999999",
		12_345_678: "12M", 5e12: "5000G"} {
		if got := livetree.Number(v); got != want || len(got) > 7 {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}
