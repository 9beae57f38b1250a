package mtu_test

import (
	"strings"
	"testing"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/mtu"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/test/transcripts"
)

// An end that no host is cannot be probed, and is named.
func TestProbeUnknownEnd(t *testing.T) {
	hosts := transcripts.Start(t)
	q := mtu.Request{From: "lpar1", To: "lpar9"}
	ways, err := q.Run(t.Context(), fleet.Access{SSHConfig: hosts.Config})
	if err == nil || !strings.Contains(err.Error(), "lpar9") {
		t.Errorf("got %+v, %v, want lpar9 named", ways, err)
	}
}

// Both ways of a path are asked for. Hosts whose ping cannot be used are not called healthy.
func TestProbeWithoutPing(t *testing.T) {
	hosts := transcripts.Start(t)
	q := mtu.Request{From: "lpar1", To: "lpar2", More: []string{"vios1", "vios2"}}
	ways, err := q.Run(t.Context(), fleet.Access{SSHConfig: hosts.Config})
	if err != nil || len(ways) != 2 {
		t.Fatalf("got %+v, %v, want a way there and one back", ways, err)
	}
	for i, ends := range [][2]string{{"lpar1:en0", "lpar2:en0"}, {"lpar2:en0", "lpar1:en0"}} {
		w := ways[i]
		if w.From.String() != ends[0] || w.To.String() != ends[1] || w.Wanted != 1500 || w.Largest != 0 || w.Verdict != pathmtu.Unable {
			t.Errorf("got %+v, want %s to %s, nothing measured and why", w, ends[0], ends[1])
		}
	}
}
