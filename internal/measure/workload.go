package measure

import (
	"cmp"
	"errors"
	"fmt"

	"seaworthy/internal/measure/probe/load"
)

// Workload is one kind of traffic.
type Workload struct {
	Name     string    `json:"name"`
	Kind     load.Kind `json:"kind"`                 // stream or rr
	Streams  int       `json:"streams,omitempty"`    // stream: connections; 0 means 1
	Sessions int       `json:"sessions,omitempty"`   // rr: connections; 0 means 1
	Write    int       `json:"write,omitempty"`      // stream: bytes per write; 0 means 128 KiB
	Request  int       `json:"request,omitempty"`    // rr: bytes; 0 means 1
	Response int       `json:"response,omitempty"`   // rr: bytes; 0 means as Request
	Rate     float64   `json:"rate_per_s,omitempty"` // rr: requests/s of all sessions, sent when due; 0: each after its answer
	Window   int       `json:"window,omitempty"`     // bytes asked of both socket buffers at both ends; 0: left to the systems
	NoDelay  bool      `json:"nodelay,omitempty"`
	Reverse  bool      `json:"reverse,omitempty"` // stream: data flows from To to From
	Seconds  float64   `json:"seconds"`           // measured; 0 means 10
	Warmup   float64   `json:"warmup"`            // before it, not measured; 0 means 1, below 0 none
}

// DefaultWrite is the write size of a stream, in bytes.
const DefaultWrite = 128 << 10

// withDefaults fills in what is 0 and checks the rest.
func (w Workload) withDefaults() (Workload, error) {
	switch w.Kind {
	case load.Stream:
		w.Streams, w.Write = cmp.Or(w.Streams, 1), cmp.Or(w.Write, DefaultWrite)
		w.Name = cmp.Or(w.Name, fmt.Sprintf("%d-stream", w.Streams))
	case load.RequestResponse:
		w.Sessions, w.Request = cmp.Or(w.Sessions, 1), cmp.Or(w.Request, 1)
		w.Response = cmp.Or(w.Response, w.Request)
		w.Name = cmp.Or(w.Name, fmt.Sprintf("%d-session", w.Sessions))
		if w.Reverse {
			return w, fmt.Errorf("workload %s: rr has no reverse direction", w.Name)
		}
	}
	w.Seconds, w.Warmup = cmp.Or(w.Seconds, 10), max(0, cmp.Or(w.Warmup, 1))
	if !(w.Seconds >= 0.1 && w.Seconds <= 3600) || !(w.Warmup <= 3600) {
		return w, fmt.Errorf("workload %s: seconds is %v and warmup %v, must be 0.1 to 3600 and at most 3600", w.Name, w.Seconds, w.Warmup)
	}
	spec := w.spec("00000000000000000000000000000000")
	if err := spec.Check(); err != nil {
		return w, fmt.Errorf("workload %s: %w", w.Name, err)
	}
	return w, nil
}

// connections is the number of streams or sessions.
func (w *Workload) connections() int {
	if w.Kind == load.RequestResponse {
		return w.Sessions
	}
	return w.Streams
}

// slack holds what a load may run beyond its measured time: the time to begin and
// end the interval on every host of the path.
const slack = 60

func (w *Workload) spec(token string) load.Spec {
	return load.Spec{
		Kind: w.Kind, Connections: w.connections(), Write: w.Write, Request: w.Request, Response: w.Response,
		Rate: w.Rate, Window: w.Window, NoDelay: w.NoDelay, Limit: w.Warmup + w.Seconds + slack, Token: token,
	}
}

func workloads(in []Workload) ([]Workload, error) {
	if len(in) == 0 {
		return nil, errors.New("an experiment needs a workload")
	}
	seen := map[string]bool{}
	var out []Workload
	for _, w := range in {
		w, err := w.withDefaults()
		if err != nil {
			return nil, err
		}
		if seen[w.Name] {
			return nil, fmt.Errorf("two workloads are named %s", w.Name)
		}
		seen[w.Name] = true
		out = append(out, w)
	}
	return out, nil
}
