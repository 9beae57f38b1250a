package collection

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
)

// Request says whom to collect from, and how.
type Request struct {
	Names      []string // none: all of the hosts file, or whom the HMC lists
	Dir        string   // where the snapshots go
	Replace    bool     // a finished snapshot of a host gives way to the new one
	RedactKey  string   // file with the key; empty: nothing is redacted
	NoRoot     bool     // a VIOS is read as padmin alone, without oem_setup_env
	NoPing     bool     // round trips are not measured
	HMC        string   // host that lists partitions; empty: none
	System     string   // of the HMC: this managed system alone; empty: all
	ThroughHMC bool     // the HMC reads the VIOSes, by viosvrcmd
}

// Host is a host that was collected from.
type Host struct {
	Host     string `json:"host"`
	Dir      string `json:"dir,omitempty"`
	Platform string `json:"platform,omitempty"`
	Commands int    `json:"commands"`
	Gaps     int    `json:"gaps"`
	Error    string `json:"error,omitempty"`

	NotRoot *NotRoot `json:"not_root,omitempty"` // nil: read as root, or that makes no difference
}

// Result holds what became of all hosts.
type Result struct {
	Hosts  []Host
	Failed error // of the hosts that were not read to their end; nil: none
	Kept   int   // how many left a snapshot
}

// Run collects. The error is about the whole; what became of a host is in the result.
func (q *Request) Run(ctx context.Context, access fleet.Access) (*Result, error) {
	whom, err := q.choose(ctx, access)
	if err != nil {
		return nil, err
	}
	c, err := access.Open(ctx, whom.names)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for _, v := range whom.vioses {
		c.Hosts = append(c.Hosts, collect.ThroughHMC(c.ByName()[q.HMC], v))
	}
	outcomes, err := q.save(ctx, access, c)
	if err != nil {
		return nil, err
	}
	if !q.NoPing && q.RedactKey == "" {
		err = pingPaths(ctx, c, outcomes, q.Dir)
		if err != nil {
			access.Notice("round trips were not kept: %v", err)
		}
	}
	return summarise(ctx, outcomes)
}

// maxPinged is how many hosts may be collected for their paths to be pinged.
const maxPinged = 32

// pingPaths measures the paths between the hosts that were collected. What cannot be
// measured is not a fault of the collection.
func pingPaths(ctx context.Context, c *fleet.Connection, outcomes []collect.Outcome, dir string) error {
	if len(outcomes) < 2 || len(outcomes) > maxPinged || ctx.Err() != nil {
		return nil
	}
	hosts := &model.Fleet{}
	for _, o := range outcomes {
		if o.Err != nil || o.Dir == "" {
			continue
		}
		one, err := collect.Inventories(ctx, o.Dir)
		if err == nil {
			hosts.Hosts = append(hosts.Hosts, one.Hosts...)
		}
	}
	return diagnose.Prober{Fleet: hosts, Hosts: c.ByName()}.Save(ctx, dir)
}

// summarise says what became of each host.
func summarise(ctx context.Context, outcomes []collect.Outcome) (*Result, error) {
	lack, err := notRoot(ctx, outcomes)
	if err != nil {
		return nil, err
	}
	r := &Result{Hosts: make([]Host, len(outcomes))}
	notBegun := 0
	for i, o := range outcomes {
		h := &r.Hosts[i]
		h.Host, h.Dir, h.NotRoot = o.Host, o.Dir, lack[o.Host]
		m := o.Manifest
		if m != nil {
			r.Kept++
			h.Platform, h.Commands, h.Gaps = m.Platform, len(m.Commands), len(m.Gaps)
		}
		o.Err = Problem(o)
		if errors.Is(o.Err, collect.ErrNotBegun) {
			h.Error = o.Err.Error()
			notBegun++
		} else if o.Err != nil {
			h.Error = o.Err.Error()
			r.Failed = errors.Join(r.Failed, o.Err)
		}
	}
	if notBegun > 0 { // a line each would bury the others
		r.Failed = errors.Join(r.Failed, fmt.Errorf("interrupted before the turn of %d hosts: %w", notBegun, collect.ErrNotBegun))
	}
	return r, nil
}

// Problem is why a host was not read to its end; nil: it was.
func Problem(o collect.Outcome) error {
	if o.Manifest != nil && o.Err == nil && o.Manifest.Platform == string(model.Unknown) {
		return fmt.Errorf("%s: uname reports neither AIX, VIOS nor Linux: nothing else was asked "+
			"(if it is one of them, set its platform in the inventory file)", o.Host)
	}
	return o.Err
}
