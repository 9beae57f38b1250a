package report

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/quote"
)

// inspected is a result that machines of a site read: an audit.
type inspected interface{ Inspected() Inspection }

// Inspection is an audit as the formats of other programs need it.
type Inspection struct {
	Audited
	Hosts []string                      // that were judged
	Fleet *model.Fleet                  // what was read of them; nil: not at hand
	Path  *model.Path                   // of --path; nil: none
	File  func(finding.Evidence) string // the saved output that evidence stands in; empty: none
	Fails func(f finding.Finding) bool  // it is at or above --fail-on
}

// Open are the findings, notes too.
func (a *Inspection) Open() []finding.Finding { return a.of(finding.Found) }

// Lacks are the rules that lack a fact.
func (a *Inspection) Lacks() []finding.Finding { return a.of(finding.NotAssessed) }

func (a *Inspection) of(v finding.Verdict) []finding.Finding {
	var some []finding.Finding
	for _, f := range a.Findings {
		if f.Verdict == v {
			some = append(some, f)
		}
	}
	return some
}

// The part of SARIF 2.1.0 that an audit fills: https://docs.oasis-open.org/sarif/sarif/v2.1.0.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string       `json:"id"`
		Short sarifMessage `json:"shortDescription"`
		Full  sarifMessage `json:"fullDescription"`
		Help  sarifMessage `json:"help"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Ended         string              `json:"endTimeUtc,omitempty"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifResult struct {
		Rule         string             `json:"ruleId"`
		Kind         string             `json:"kind"`
		Level        string             `json:"level"`
		Message      sarifMessage       `json:"message"`
		Baseline     string             `json:"baselineState,omitempty"`
		Locations    []sarifLocation    `json:"locations"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		CodeFlows    []sarifFlow        `json:"codeFlows,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions"`
		Properties   map[string]any     `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line    int           `json:"startLine"`
		Snippet *sarifMessage `json:"snippet,omitempty"`
	}
	sarifLogical struct {
		Name      string `json:"name"`
		Qualified string `json:"fullyQualifiedName"`
		Kind      string `json:"kind"`
	}
	sarifFlow struct {
		Threads []sarifThread `json:"threadFlows"`
	}
	sarifThread struct {
		Locations []sarifStep `json:"locations"`
	}
	sarifStep struct {
		Location sarifLocation `json:"location"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification,omitempty"`
	}
)

const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifVersion = "2.1.0"
)

var _ = register(Format{
	Name: "sarif",
	Fits: func(data any) bool { _, ok := data.(inspected); return ok },
	Print: func(to Output, r Result) error {
		text, err := json.MarshalIndent(sarifOf(r.Data.(inspected).Inspected()), "", " ")
		if err != nil {
			return err
		}
		_, err = to.W.Write(append(quote.JSON(text), '\n'))
		return err
	},
})

// sarifOf is an audit as SARIF: verdicts are kinds of results, evidence locations, waivers suppressions, a path a code flow.
func sarifOf(a Inspection) sarifLog {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "seaworthy", Version: a.Version, Rules: []sarifRule{}}}, Results: []sarifResult{}}
	done := sarifInvocation{Successful: len(a.NotRead) == 0}
	if !a.At.IsZero() {
		done.Ended = a.At.UTC().Format("2006-01-02T15:04:05Z")
	}
	for _, text := range a.NotRead {
		done.Notifications = append(done.Notifications, sarifNotification{"error", sarifMessage{Safe(text)}})
	}
	run.Invocations = []sarifInvocation{done}
	add := func(f finding.Finding) *sarifResult {
		run.Results = append(run.Results, a.sarifResult(f))
		run.Tool.Driver.add(f)
		return &run.Results[len(run.Results)-1]
	}
	for _, f := range a.Open() {
		add(f)
	}
	for _, f := range a.Lacks() {
		add(f)
	}
	for _, w := range a.Waived {
		add(w.Finding).Suppressions = []sarifSuppression{{"external", "accepted", Safe(w.Reason + " (until " + w.Until + ")")}}
	}
	for _, f := range a.Gone {
		add(f).Baseline = "absent"
	}
	return sarifLog{sarifSchema, sarifVersion, []sarifRun{run}}
}

// add lists a rule once.
func (d *sarifDriver) add(f finding.Finding) {
	if slices.ContainsFunc(d.Rules, func(r sarifRule) bool { return r.ID == f.Rule }) {
		return
	}
	why := f.Why
	if why == "" {
		why = f.Title
	}
	d.Rules = append(d.Rules, sarifRule{f.Rule, sarifMessage{f.Title}, sarifMessage{why}, sarifMessage{f.ExplainedBy()}})
}

func (a *Inspection) sarifResult(f finding.Finding) sarifResult {
	r := sarifResult{
		Rule: f.Rule, Kind: "fail", Level: sarifLevel(f.Severity), Locations: []sarifLocation{}, Suppressions: []sarifSuppression{},
		Message:      sarifMessage{Safe(f.Element.String() + ": " + f.Title)},
		Fingerprints: map[string]string{"seaworthyFinding/v1": f.ID},
		Properties:   map[string]any{"severity": f.Severity, "host": f.Element.Host, "element": f.Element.Element},
	}
	switch {
	case f.Verdict == finding.NotAssessed:
		r.Kind, r.Level = "open", "none"
		r.Message.Text += Safe("; not assessed, it lacks " + strings.Join(f.Missing, ", "))
	case f.Severity == finding.Info:
		r.Kind, r.Level = "informational", "none"
	}
	switch f.Change {
	case "":
	case "still there":
		r.Baseline = "unchanged"
	default:
		r.Baseline = "new"
	}
	a.locate(&r, f)
	if f.Class != "" {
		r.Properties["outageClass"] = f.Class
	}
	if len(f.Remedy) > 0 {
		r.Properties["remedy"] = f.Remedy
	}
	if len(f.Cautions) > 0 {
		r.Properties["cautions"] = f.Cautions
	}
	return r
}

// locate adds where the finding is, and the lines that prove it: those of saved outputs with their file.
func (a *Inspection) locate(r *sarifResult, f finding.Finding) {
	here := []sarifLogical{logical(f.Element)}
	for _, e := range f.Evidence {
		at := sarifLocation{Physical: a.physical(e), Message: &sarifMessage{Safe(e.Host + " $ " + e.Command + ": " + e.Text)}}
		if len(r.Locations) == 0 {
			at.Logical = here
			r.Locations = append(r.Locations, at)
			continue
		}
		r.Related = append(r.Related, at)
	}
	if len(r.Locations) == 0 {
		r.Locations = append(r.Locations, sarifLocation{Logical: here})
	}
	if a.Path == nil || r.Kind != "fail" {
		return
	}
	var steps []sarifStep
	for _, hop := range a.Path.Hops {
		at := sarifLogical{Name: hop.Kind, Qualified: hop.Kind, Kind: "resource"}
		if hop.Ref != nil {
			at = logical(*hop.Ref)
		}
		step := sarifLocation{Logical: []sarifLogical{at}}
		if hop.Note != "" {
			step.Message = &sarifMessage{Safe(hop.Note)}
		}
		steps = append(steps, sarifStep{step})
	}
	r.CodeFlows = []sarifFlow{{[]sarifThread{{steps}}}}
}

func logical(at model.Ref) sarifLogical {
	return sarifLogical{Name: Safe(at.Element), Qualified: Safe(at.String()), Kind: "resource"}
}

// physical is the line of a saved output; nil if the output is not saved: a place is never made up.
func (a *Inspection) physical(e finding.Evidence) *sarifPhysical {
	file := a.File(e)
	if file == "" {
		return nil
	}
	at := &sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: file}).String()}}
	if e.Line > 0 {
		at.Region = &sarifRegion{e.Line, &sarifMessage{Safe(e.Text)}}
	}
	return at
}

func sarifLevel(s finding.Severity) string {
	switch s {
	case finding.Critical, finding.High:
		return "error"
	case finding.Medium:
		return "warning"
	}
	return "note"
}
