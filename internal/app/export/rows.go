package export

import (
	"maps"
	"slices"
	"time"

	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
)

// Names of the tables.
const (
	Snapshots = "snapshots"
	Facts     = "facts"
	Findings  = "findings"
	Counters  = "counters"
)

// Tables are the names of all tables.
func Tables() []string { return []string{Snapshots, Facts, Findings, Counters} }

// snapshotRow is a try to read a host.
type snapshotRow struct {
	Host    string    `parquet:"host,dict"`
	Taken   time.Time `parquet:"taken,timestamp(microsecond)"`
	Reached bool      `parquet:"reached"`
	Problem *string   `parquet:"problem,optional"` // why it was not reached, or not read to its end
	RawText bool      `parquet:"raw_text"`         // the history has it; counters come from it
}

// factRow is a value of an element over an interval.
type factRow struct {
	Host      string     `parquet:"host,dict"`
	Element   string     `parquet:"element,dict"`
	Attribute string     `parquet:"attribute,dict"`
	Layer     string     `parquet:"layer,dict"` // running, next boot, default
	State     string     `parquet:"state,dict"` // known, unread, gone
	Value     *string    `parquet:"value,optional,dict"`
	From      time.Time  `parquet:"from,timestamp(microsecond)"`
	To        *time.Time `parquet:"to,optional,timestamp(microsecond)"` // it says something else; null: it holds on
}

// findingRow is a rule's verdict on an element over an interval.
type findingRow struct {
	Host     string     `parquet:"host,dict"`
	Element  string     `parquet:"element,dict"`
	Rule     string     `parquet:"rule,dict"`
	Title    *string    `parquet:"title,optional,dict"`    // null: a rule that this version does not have
	Severity *string    `parquet:"severity,optional,dict"` // as the rule has it
	State    string     `parquet:"state,dict"`
	Verdict  *string    `parquet:"verdict,optional,dict"` // FINDING, NOT_ASSESSED
	From     time.Time  `parquet:"from,timestamp(microsecond)"`
	To       *time.Time `parquet:"to,optional,timestamp(microsecond)"`
}

// counterRow is a counter of an element in a snapshot.
type counterRow struct {
	Host    string    `parquet:"host,dict"`
	Element string    `parquet:"element,dict"` // "host": of the protocols
	Kind    string    `parquet:"kind,dict"`    // of the element: interface, sea, …; host
	Counter string    `parquet:"counter,dict"` // as the host prints it
	Value   uint64    `parquet:"value"`
	Taken   time.Time `parquet:"taken,timestamp(microsecond)"`
}

// until is the end of an interval; nil: it holds on.
func until(v history.Interval) *time.Time {
	if v.To.IsZero() {
		return nil
	}
	return &v.To
}

// given is a text; nil: there is none.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// elementNames are those of a host that were read, in the order people count.
func elementNames(h *model.Host) []string {
	names := slices.SortedFunc(maps.Keys(h.Elements), model.Natural)
	return slices.DeleteFunc(names, func(name string) bool { return h.Elements[name] == nil })
}
