package doc

import (
	"io"
	"strings"
	"testing"

	"seaworthy/internal/test/growth"
)

// A cell with a long list is broken into lines in time that grows with it.
func TestLongCell(t *testing.T) {
	growth.Linear(t, 30_000, func(n int) func() {
		list := strings.Repeat("ent1000,", n)
		return func() {
			table := NewWrapped("members", Left("at"), Left("members"))
			for range 20 {
				table.Add("lpar1", "x")
			}
			table.Add("lpar1", list)
			if err := WriteText(io.Discard, &Document{Blocks: []Block{table}}, Screen{}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
