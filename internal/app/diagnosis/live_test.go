package diagnosis_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"seaworthy/internal/app/diagnosis"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/test/transcripts"
)

func TestDiagnoseRunningHosts(t *testing.T) {
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	q := diagnosis.Request{From: "lpar1", To: "lpar2", Args: []string{"vios1", "vios2"}, Watch: time.Millisecond, NoPing: true}
	r, err := q.Run(t.Context(), access)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == "" || r.Input.Path == nil || r.Input.Before == nil || r.Input.Fleet == r.Input.Before {
		t.Errorf("got verdict %q on path %v, want one from two readings", r.Verdict, r.Input.Path)
	}
	if r.Input.Measured != nil {
		t.Errorf("got pings %v, want none", r.Input.Measured)
	}
}

// An end that does not answer is the diagnosis, and no error.
func TestDiagnoseUnreachableEnd(t *testing.T) {
	hosts := transcripts.Start(t)
	hosts.Server("lpar2").Down()
	access := fleet.Access{SSHConfig: hosts.Config}
	q := diagnosis.Request{From: "lpar1", To: "lpar2", Watch: time.Millisecond, NoPing: true}
	r, err := q.Run(t.Context(), access)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Causes) == 0 || r.Input.Path != nil {
		t.Errorf("got causes %v and path %v, want the cause and no path", r.Causes, r.Input.Path)
	}
}

func TestDiagnoseInterrupted(t *testing.T) {
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	ctx, interrupt := context.WithCancelCause(t.Context())
	stop := errors.New("Ctrl-C")
	q := diagnosis.Request{From: "lpar1", To: "lpar2", Args: []string{"vios1", "vios2"}, Watch: time.Hour, NoPing: true}
	timer := time.AfterFunc(300*time.Millisecond, func() { interrupt(stop) })
	defer timer.Stop()
	_, err := q.Run(ctx, access)
	if !errors.Is(err, stop) {
		t.Errorf("got %v, want %v", err, stop)
	}
}
