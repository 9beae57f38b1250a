package prediction_test

import (
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/prediction"
	"seaworthy/internal/predict"
	"seaworthy/internal/test/transcripts"
)

func TestPredictOverRunningHosts(t *testing.T) {
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	q := prediction.Request{From: "lpar1", To: "lpar2", Args: []string{"lpar1", "vios1", "lpar2", "vios2"},
		Set: []string{"lpar1:en0:mtu_bypass=on"}, Loads: []predict.Load{{Streams: 1}, {Streams: 8}}}
	all, err := q.Run(t.Context(), access)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Now.BPS == nil || all[0].After == nil || all[0].After.BPS == nil {
		t.Fatalf("got %+v, want two answers for now and after", all)
	}
	if all[0].After.BPS.Median <= all[0].Now.BPS.Median {
		t.Errorf("with large send: got %g bit/s after and %g now, want more", all[0].After.BPS.Median, all[0].Now.BPS.Median)
	}
	q.Set = []string{"lpar1:en0:mtu_bypass=off"}
	_, err = q.Run(t.Context(), access)
	var usage *app.UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "set already") {
		t.Errorf("a value that is set: got %v, want a mistake on the command line", err)
	}
}
