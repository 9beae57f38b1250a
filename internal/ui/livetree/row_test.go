package livetree_test

import (
	"bytes"
	"strings"
	"testing"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/livetree"
)

// What a recording holds never controls a terminal.
func FuzzRows(f *testing.F) {
	f.Add([]byte(`{"schema":"seaworthy.top-recording/1","every_s":2,"hosts":["a"]}` + "\n" + `{"host":"a","outputs":[{"id":"entstat-d"}]}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if rec, err := live.Open(bytes.NewReader(text)); err == nil {
			frames, _ := live.Frames(rec)
			for _, x := range frames {
				for _, row := range livetree.Rows(x) {
					if strings.ContainsFunc(row.Name()+row.Note(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
						t.Fatalf("a control character in %q %q", row.Name(), row.Note())
					}
				}
			}
		}
	})
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.04: "0.0", 0.5: "0.5", 9.94: "9.9", 9.96: "10", 123456: "123456", 9_999_999: "9999999",
		12_345_678: "12M", 5e12: "5000G"} {
		if got := livetree.Number(v); got != want || len(got) > 7 {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}
