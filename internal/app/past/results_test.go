package past

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/diagnose"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/tune"
)

// A study and a diagnosis are kept once each, with the hosts that they are about.
func TestStudiesAndDiagnosesAreKept(t *testing.T) {
	ctx := t.Context()
	store, err := history.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "h.sqlite"), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	at := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	better := &tune.Result{From: "lpar1:en0", To: "lpar2:en0", Goal: "throughput", Unit: "Gbit/s", Started: at, Found: true,
		Winner: &tune.Winner{Words: "mtu_bypass on", Before: 4.2, After: 8.4}}
	nothing := &tune.Result{From: "lpar1", To: "lpar2", Goal: "latency", Started: at.Add(time.Hour), Reason: "no setting shows an effect"}
	cause := diagnose.Cause{}
	cause.Host, cause.Element, cause.Title = "vios1", "ent5", "receive buffers run out"
	slow := &diagnose.Diagnosis{From: model.Ref{Host: "lpar1", Element: "en0"}, To: model.Ref{Host: "lpar2"}, Verdict: diagnose.Found,
		Path: []model.Ref{{Host: "lpar1", Element: "en0"}, {Host: "vios1", Element: "ent5"}, {}}, Causes: []diagnose.Cause{cause}}
	for _, again := range []bool{false, true} {
		for _, keep := range []func() (bool, error){
			func() (bool, error) { return AddStudy(ctx, store, better) },
			func() (bool, error) { return AddStudy(ctx, store, nothing) },
			func() (bool, error) { return AddDiagnosis(ctx, store, slow, at.Add(2*time.Hour)) },
		} {
			added, err := keep()
			if err != nil || added == again {
				t.Errorf("again %v: added %v, %v", again, added, err)
			}
		}
	}
	got, err := store.Results(ctx, history.Window{To: at.Add(24 * time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	want := []history.Result{
		{Made: at, Kind: "tune throughput", Summary: "4.2 → 8.4 Gbit/s by mtu_bypass on", Hosts: []string{"lpar1", "lpar2"}},
		{Made: at.Add(time.Hour), Kind: "tune latency", Summary: "nothing better was found: no setting shows an effect", Hosts: []string{"lpar1", "lpar2"}},
		{Made: at.Add(2 * time.Hour), Kind: "diagnose", Summary: "found: vios1 ent5: receive buffers run out", Hosts: []string{"lpar1", "lpar2", "vios1"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
