package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Schema names the format of a saved diagnosis.
const Schema = "seaworthy.diagnosis/1"

// Diagnosis is the answer for one path.
type Diagnosis struct {
	Schema  string      `json:"schema"`
	From    model.Ref   `json:"from"`
	To      model.Ref   `json:"to"`
	Path    []model.Ref `json:"path"`
	Live    bool        `json:"live"`    // the hosts were read now
	Seconds float64     `json:"seconds"` // between the two readings; 0: there was one, counters are totals
	Verdict Verdict     `json:"verdict"`
	// Incomplete: something that can hide a fault could not be looked at.
	Incomplete bool `json:"incomplete"`
	// Unread are the hosts that could not be read, sorted.
	Unread []string `json:"unread_hosts,omitempty"`
	// Causes are in the order of what they cost; Possible are settings that can cost
	// throughput; no measurement shows that they do.
	Causes   []Cause    `json:"causes"`
	Possible []Cause    `json:"possible"`
	RuledOut []RuledOut `json:"ruled_out"`
	NotSeen  []NotSeen  `json:"not_seen"`
	Measured []Measured `json:"measured"`

	// Clean are the parts of the path in which nothing is wrong. Elsewhere is set when the network
	// is not the cause, Decide when not enough was seen.
	Clean     []Clean     `json:"clean"`
	Elsewhere []Elsewhere `json:"elsewhere"`
	Decide    []Deciding  `json:"decide"`

	Load     []Stream `json:"load,omitempty"`      // that were sent to be measured
	Links    []Link   `json:"links,omitempty"`     // that were looked at, since packets were lost or a link was down
	LineMbit float64  `json:"line_mbit,omitempty"` // the slowest port of the path; 0: not known
	// BundleMbit is what several streams can move: the members of each EtherChannel or bond
	// of the path together; 0: not known.
	BundleMbit float64 `json:"bundle_mbit,omitempty"`

	// Forecast holds what a stream is expected to move, where settings of the path limit it or
	// a stream was measured; nil: nobody predicted.
	Forecast *Forecast `json:"forecast,omitempty"`

	// LevelsNotRead are known defects that may bite on the hosts of the path, and what has to be asked to know.
	LevelsNotRead []rule.UnreadLevel `json:"levels_not_read,omitempty"`

	State State `json:"state"` // of the path while it was tested

	Connections []Connection `json:"connections"` // between the ends, while they were watched

	// What the pings cost: bytes on the line, and their share of it over the time.
	CostBytes   int64   `json:"cost_bytes"`
	CostPercent float64 `json:"cost_percent,omitempty"` // 0: the line's rate is not known
}

// newDiagnosis has no list that is nil.
func newDiagnosis(from, to model.Ref, live bool) *Diagnosis {
	return &Diagnosis{Schema: Schema, From: from, To: to, Live: live, Path: []model.Ref{}, Causes: []Cause{}, Possible: []Cause{},
		RuledOut: []RuledOut{}, NotSeen: []NotSeen{}, Measured: []Measured{}, Connections: []Connection{},
		Clean: []Clean{}, Elsewhere: []Elsewhere{}, Decide: []Deciding{}}
}

// Stream is TCP streams from one end to the other, as fast as they went.
type Stream struct {
	Streams     int      `json:"streams"`
	Seconds     float64  `json:"seconds"`               // measured; they were there for one more
	BPS         *float64 `json:"bps,omitempty"`         // bit/s of all
	Bytes       *uint64  `json:"bytes,omitempty"`       // in the measured seconds
	Retransmits *uint64  `json:"retransmits,omitempty"` // segments that the sender sent again
	Error       string   `json:"error,omitempty"`       // why they could not be sent
}

// Took notes over how many seconds the path was read, and with that what the pings
// cost of its line.
func (d *Diagnosis) Took(seconds float64, path *model.Path, f *model.Fleet) {
	d.Seconds = seconds
	for _, m := range d.Measured {
		d.CostBytes += m.Bytes
	}
	if line := lineRate(f, path); line > 0 && seconds > 0 {
		d.CostPercent = 100 * float64(8*d.CostBytes) / (line * 1e6 * seconds)
	}
}

// Verdict of a diagnosis.
type Verdict string

const (
	Found        Verdict = "found"
	NotNetwork   Verdict = "not the network"
	Inconclusive Verdict = "not enough seen"
	Settings     Verdict = "settings to fix"
)

// Cause is one reason why the path is slow.
type Cause struct {
	ID        string             `json:"id"` // of symptoms.yaml
	Title     string             `json:"title"`
	Host      string             `json:"host"`
	Element   string             `json:"element"`   // ent0, en0; of a switch port, which no host sees, in words
	Certainty string             `json:"certainty"` // proved, likely, possible; likely becomes "reproduced in a copy" where it was
	Harm      float64            `json:"harm"`      // 0 to 1, for the order; no measurement
	Symptoms  []string           `json:"symptoms"`
	Says      []string           `json:"says"`     // what its witnesses say
	Findings  []string           `json:"findings"` // their ids
	Evidence  []finding.Evidence `json:"evidence"`
	Do        []string           `json:"do"`
	Verify    []string           `json:"verify"`
	Hides     []string           `json:"hides"`              // causes that follow from it, ID/HOST:ELEMENT
	Explains  []string           `json:"explains,omitempty"` // the same in words, as the head of a cause

	// Plan is the command that plans what cures it, and nothing else; empty: no setting does.
	Plan string `json:"plan,omitempty"`
	// Limits: a setting that limits throughput for certain.
	Limits bool `json:"limits,omitempty"`
	// Speed holds what a stream moved with it, and is expected to move without; nil: not measured.
	Speed *Speed `json:"speed,omitempty"`

	// Copy says what a copy of the network showed of it; nil: none was asked.
	Copy *InCopy `json:"in_copy,omitempty"`

	cures    []string          // findings whose settings cure it
	measured []string          // of these, those that rest on what diagnose measured
	settings []finding.Setting // of these
	of       knowledge.Cause
	defect   bool // a known defect
	shows    bool // a known defect that left a sign
	blamed   bool // the element is not where it shows, but what stops the packets
}

// At names the cause and its place: damaged-frames/vios1:ent0.
func (c Cause) At() string { return c.ID + "/" + c.Host + ":" + c.Element }

// Head says in words where a cause is and what it is, as "vios1 ent0: frames are lost or damaged on a cable".
func (c Cause) Head() string {
	return strings.TrimSuffix(c.Host+" "+c.Element, " host") + ": " + c.Title
}

// explain names a cause that follows from this one.
func (c *Cause) explain(other Cause) {
	c.Hides = append(c.Hides, other.At())
	head := other.Head()
	if other.of.Unlocated { // now it is known where: "packets are lost, and no element that was read counts them"
		head, _, _ = strings.Cut(head, ", and no ")
	}
	c.Explains = append(c.Explains, head)
}

// RuledOut is a cause whose checks all passed.
type RuledOut struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Seen  int    `json:"seen"` // checks that passed

	By []string `json:"by"` // what was read or measured for them: "lpar1 $ netstat -s"
}

// NotSeen holds what could not be looked at.
type NotSeen struct {
	What  string   `json:"what"`
	Allow string   `json:"allow,omitempty"` // how to show it
	IDs   []string `json:"causes"`          // what stays open
}

// Measured holds what echo requests showed of one direction.
type Measured struct {
	From    model.Ref          `json:"from"`
	To      model.Ref          `json:"to"`
	Address string             `json:"address"`
	RTTms   float64            `json:"rtt_ms"` // 0: not known
	Sent    int                `json:"sent"`
	Lost    int                `json:"lost"`
	Bytes   int64              `json:"bytes"` // that the probing put on the line, both ways
	MTU     *pathmtu.Direction `json:"mtu,omitempty"`
	Late    *pathmtu.Suspect   `json:"late,omitempty"` // what makes the round trip long; nil: not known, or short
	Said    string             `json:"said,omitempty"` // by a ping without an answer: why it could not send
	Error   string             `json:"error,omitempty"`

	// SmallPassed: a single small echo request was answered before those counted in Sent.
	SmallPassed bool `json:"small_passed,omitempty"`
	// Requests of MTU.Wanted bytes that followed a verdict of pathmtu.BlackHole: some that
	// pass show that the earlier ones were lost by chance.
	LargeSent   int `json:"large_sent,omitempty"`
	LargePassed int `json:"large_passed,omitempty"`

	// Connections between From and To that From has, and the most that its programs left
	// unread in one of them, in bytes; nil: not asked.
	Connections int  `json:"connections,omitempty"`
	RecvQ       *int `json:"recv_q,omitempty"`
}

// largest is the largest packet in bytes that passed; 0: not known.
func (m Measured) largest() int {
	switch {
	case m.MTU == nil || m.MTU.Verdict == pathmtu.Rejected:
		return 0
	case m.LargePassed > 0:
		return m.MTU.Wanted
	}
	return m.MTU.Largest
}

// refs are the elements of a path.
func refs(p *model.Path) (all []model.Ref) {
	for _, h := range p.Hops {
		if h.Ref != nil {
			all = append(all, *h.Ref)
		}
	}
	return all
}

// lineRate is the slowest port of a path in Mbit/s; 0: no port said its speed.
func lineRate(f *model.Fleet, p *model.Path) (least float64) {
	for _, r := range refs(p) {
		if e := f.Element(r); e != nil && e.Kind == model.Physical && e.SpeedMb != nil && *e.SpeedMb > 0 {
			least = min(cmp.Or(least, math.Inf(1)), float64(*e.SpeedMb))
		}
	}
	return least
}

// lineOf is the rate that so many streams can share, in Mbit/s; 0: not known.
func (d *Diagnosis) lineOf(streams int) float64 {
	if streams > 1 {
		return max(d.LineMbit, d.BundleMbit)
	}
	return d.LineMbit
}

// OfLine says which share of the line streams moved, in words; empty if that is not known.
func (d *Diagnosis) OfLine(s Stream) string {
	line := d.lineOf(s.Streams)
	if s.BPS == nil || line == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g %% of the line (%.3g Gbit/s)", *s.BPS/1e4/line, line/1e3)
}
