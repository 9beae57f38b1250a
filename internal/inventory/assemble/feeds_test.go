package assemble

import (
	"testing"

	"seaworthy/internal/parse/registry"
)

// What feeds a host is asked for, recognised and read under the same id.
func TestFeedsAreRegistered(t *testing.T) {
	for id := range table {
		if e := registry.Find(id); e == nil || e.Parse == nil {
			t.Errorf("%s: got entry %+v, want one with a parser", id, e)
		}
	}
	for _, e := range registry.Entries() {
		if _, fed := table[e.ID]; e.Settings && !fed {
			t.Errorf("%s: said to hold settings, and feeds nothing", e.ID)
		}
	}
}
