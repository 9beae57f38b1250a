package guest_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	tool "seaworthy/internal/cli"
)

// What collect read of the pseries guest, as Debian 12 ships it: no finding, and nothing
// that seaworthy would set where the driver's features are fixed.
func TestStockPOWERGuest(t *testing.T) {
	var out, errs bytes.Buffer
	if exit := tool.Main(t.Context(), []string{"audit", "testdata/pseries"}, strings.NewReader(""), &out, &errs); exit != 0 {
		t.Errorf("audit: exit %d: %s%s", exit, out.String(), errs.String())
	}
	out.Reset()
	if exit := tool.Main(t.Context(), []string{"show", "host", "testdata/pseries", "-f", "json"}, strings.NewReader(""), &out, &errs); exit != 0 {
		t.Fatalf("show host: exit %d: %s", exit, errs.String())
	}
	var hosts []struct {
		Elements map[string]struct {
			Driver string `json:"driver"`
			Attrs  map[string]struct {
				Running  string `json:"running"`
				Settable *bool  `json:"settable"`
			} `json:"attrs"`
			Counters map[string]uint64 `json:"counters"`
		} `json:"elements"`
		Gaps []struct {
			What string `json:"what"`
		} `json:"gaps"`
	}
	if err := json.Unmarshal(out.Bytes(), &hosts); err != nil || len(hosts) != 1 {
		t.Fatalf("show host: %v: %.300s", err, out.String())
	}
	// Debian's kernel is built without it.
	if gaps := hosts[0].Gaps; len(gaps) != 1 || gaps[0].What != "cat /proc/ppc64/lparcfg" {
		t.Errorf("gaps: got %v, want lparcfg alone", gaps)
	}
	port := hosts[0].Elements["ibmveth2"]
	if port.Driver != "ibmveth" || port.Counters["replenish_add_buff_success"] == 0 {
		t.Errorf("ibmveth2: driver %q, counters %v", port.Driver, port.Counters)
	}
	for attr, want := range map[string]bool{"tx": false, "tso": false, "gro": true, "sg": true} {
		if a := port.Attrs[attr]; a.Settable == nil || *a.Settable != want {
			t.Errorf("%s: %s, settable %v, want %t", attr, a.Running, a.Settable, want)
		}
	}
}
