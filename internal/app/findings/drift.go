package findings

import (
	"context"
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/desired"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

// DriftSchema names the format of a Drift.
const DriftSchema = "seaworthy.drift/1"

// Drift is a site's file held against hosts, as programs read it.
type Drift struct {
	Schema  string          `json:"schema"`
	Version string          `json:"version"` // of the program
	Time    time.Time       `json:"time"`
	Site    string          `json:"site"`   // the file
	Hosts   []string        `json:"hosts"`  // that were judged
	Failed  []fleet.Failure `json:"failed"` // hosts that were not read, or not to their end
	*desired.Result
}

// FindDrift holds a site's file against the hosts and folders that args name.
func FindDrift(ctx context.Context, access fleet.Access, file string, args []string) (*Drift, error) {
	site, err := desired.Load(ctx, file)
	if err != nil {
		return nil, err
	}
	got, err := access.ReadNewest(ctx, args, fleet.Options{})
	if err != nil {
		return nil, err
	}
	now := time.Now()
	result, err := site.Judge(ctx, got.Fleet, now)
	if err != nil {
		return nil, err
	}
	d := &Drift{Schema: DriftSchema, Time: now.UTC(), Site: file, Hosts: []string{}, Failed: got.Failed, Result: result}
	for _, h := range got.Fleet.Hosts {
		d.Hosts = append(d.Hosts, h.Name)
	}
	return d, nil
}

// HeldAgainst holds a site's file against hosts that were read.
func HeldAgainst(ctx context.Context, file string, hosts *model.Fleet) (*desired.Result, error) {
	site, err := desired.Load(ctx, file)
	if err != nil {
		return nil, err
	}
	return site.Judge(ctx, hosts, time.Now())
}

// wantedBy are the values that a site's file wants and the hosts do not have.
func wantedBy(ctx context.Context, file string, hosts *model.Fleet) ([]plan.DesiredSetting, error) {
	result, err := HeldAgainst(ctx, file, hosts)
	if err != nil {
		return nil, err
	}
	var all []plan.DesiredSetting
	for _, v := range result.Drift {
		setting := finding.Setting{Ref: v.Ref(), Attr: v.Attr, Value: v.Want}
		all = append(all, plan.DesiredSetting{Setting: setting})
	}
	return all, nil
}

// Proposal is a first file of a site, and what it was made of.
type Proposal struct {
	Text    []byte
	Entries int
	Reading *fleet.Reading
}

// ProposeSite writes a first file of a site from what most of the hosts have.
func ProposeSite(ctx context.Context, access fleet.Access, args []string) (*Proposal, error) {
	got, err := access.ReadNewest(ctx, args, fleet.Options{})
	if err != nil {
		return nil, err
	}
	site, err := desired.Propose(ctx, got.Fleet)
	if err != nil {
		return nil, err
	}
	if len(site.Wanted) == 0 {
		return nil, fmt.Errorf("site init: %d hosts have no setting that most of a kind share: read more hosts", len(got.Fleet.Hosts))
	}
	body, err := yaml.Marshal(site)
	if err != nil {
		return nil, err
	}
	head := "# What this site wants its hosts to be: seaworthy drift -f FILE says where they are not, seaworthy plan --from FILE plans\n" +
		"# the change. Made from what most hosts have, which need not be right. Give each entry its reason; narrow it by role, level,\n" +
		"# at, vlan or speed_mbit; list what may differ under except: {at: HOST:ELEMENT, reason: …, until: 2027-01-31}. What is not\n" +
		"# named is left alone.\n"
	return &Proposal{Text: append([]byte(head), body...), Entries: len(site.Wanted), Reading: got}, nil
}
