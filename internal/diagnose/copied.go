package diagnose

import "seaworthy/internal/inventory/model"

// CopyRequest asks for causes to be looked for in a copy of the network.
type CopyRequest struct {
	From     model.Ref    `json:"from"`
	To       model.Ref    `json:"to"`
	Fleet    *model.Fleet `json:"fleet"`            // as it was read last
	Before   *model.Fleet `json:"before,omitempty"` // an earlier reading; nil: counters are totals
	Measured []Measured   `json:"measured"`
	// Clocks are how many seconds the clocks of hosts are off; nil: not asked.
	Clocks map[string]float64 `json:"clocks,omitempty"`
	Causes []Cause            `json:"causes"`
}

// CopyRequest returns what a copy is asked about a diagnosis: its causes and its settings that limit throughput.
func (d *Diagnosis) CopyRequest(in Input) CopyRequest {
	r := CopyRequest{From: d.From, To: d.To, Fleet: in.Fleet, Before: in.Before, Measured: d.Measured, Clocks: in.Clocks, Causes: d.Causes}
	if in.Path != nil {
		r.From, r.To = in.Path.From, in.Path.To
	}
	for _, c := range d.Possible {
		if c.Limits {
			r.Causes = append(r.Causes, c)
		}
	}
	return r
}

// InCopy says what a copy of the network in the lab showed of a cause.
type InCopy struct {
	Cause   string   `json:"cause"` // Cause.At of the diagnosis
	Outcome Outcome  `json:"outcome"`
	Planted string   `json:"planted,omitempty"` // the fault that was planted; empty: none, the copy has the network's settings
	Why     string   `json:"why"`               // what the copy showed, or why it was not tried
	Seen    []string `json:"seen,omitempty"`    // what the witnesses of the cause said in the copy
}

// Outcome of looking for a cause in a copy.
type Outcome string

const (
	Reproduced    Outcome = "reproduced in a copy"
	NotReproduced Outcome = "not reproduced in a copy"
	NotTried      Outcome = "not tried in a copy"
)

// Confirm notes with each cause what a copy showed of it. A cause that was likely is reproduced then, and says so
// in place of its certainty.
func (d *Diagnosis) Confirm(all []InCopy) {
	by := map[string]*InCopy{}
	for i := range all {
		by[all[i].Cause] = &all[i]
	}
	for _, list := range [][]Cause{d.Causes, d.Possible} {
		for i := range list {
			c := &list[i]
			c.Copy = by[c.At()]
			if c.Copy != nil && c.Copy.Outcome == Reproduced && c.Certainty == "likely" {
				c.Certainty = string(Reproduced)
			}
		}
	}
}
