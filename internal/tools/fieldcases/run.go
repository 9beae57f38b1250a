// Running the program on the inputs of a case, and reading what it answers.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// answer is one thing that the program says about a case: a cause of diagnose, a
// finding of audit or a fact that is missing.
type answer struct {
	By     string // "diagnose", "audit", "missing", "import" or "hosts"
	Title  string // a line for people
	Text   string // everything that is said about it
	Advice string // the part that tells what to do
}

// limit of one command of a case.
const commandLimit = time.Minute

func runCase(ctx context.Context, program string, c fieldCase) (answers []answer, err error) {
	dir, err := os.MkdirTemp("", "fieldcase-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := c.writeInputs(in); err != nil {
		return nil, err
	}
	said, err := run(ctx, dir, program, "import", "in", "-o", "out")
	if err != nil {
		return nil, err
	}
	imported := answer{By: "import", Title: "import", Text: said}
	hosts, err := snapshots(out)
	if err != nil || len(hosts) == 0 {
		return []answer{imported}, err
	}
	answers, err = diagnoseHosts(ctx, dir, program, hosts)
	if err != nil {
		return nil, err
	}
	args := []string{"audit", "out", "-f", "json"}
	if c.Fact != "" {
		args = append(args, "--fact", c.Fact)
	}
	said, err = run(ctx, dir, program, args...)
	if err != nil {
		return nil, err
	}
	found, err := readFindings([]byte(said))
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	tree, err := run(ctx, dir, program, "show", "tree", "out")
	if err != nil {
		return nil, err
	}
	whole, err := run(ctx, dir, program, "show", "host", "out", "-f", "json")
	if err != nil {
		return nil, err
	}
	answers = append(append(answers, found...), imported, answer{By: "import", Title: "show tree", Text: tree},
		answer{By: "import", Title: "show host", Text: whole})
	return append(answers, answer{By: "hosts", Text: strings.Join(hosts, " ")}), nil
}

// diagnoseHosts diagnoses the path of the first two hosts that are not VIOSes; a
// pair that has no path gives no answer.
func diagnoseHosts(ctx context.Context, dir, program string, hosts []string) ([]answer, error) {
	var ends []string
	for _, h := range hosts {
		if !strings.HasPrefix(h, "vios") {
			ends = append(ends, h)
		}
	}
	if len(ends) == 0 {
		return nil, nil
	}
	args := append([]string{"diagnose"}, ends[:min(2, len(ends))]...)
	said, err := run(ctx, dir, program, append(args, "out", "-f", "json")...)
	if err != nil {
		return nil, err
	}
	return readDiagnosis([]byte(said))
}

// run returns what a command prints, whatever its exit status is; an error means
// that it could not be run to its end, or that it crashed.
func run(ctx context.Context, dir, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout = &out
	cmd.Stderr = &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil || strings.Contains(errs.String(), "panic:")) {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	if args[0] == "import" {
		return out.String() + errs.String(), nil
	}
	return out.String(), nil
}

// snapshots lists the hosts that were imported.
func snapshots(out string) ([]string, error) {
	manifests, err := filepath.Glob(filepath.Join(out, "*", "manifest.json"))
	var hosts []string
	for _, m := range manifests {
		hosts = append(hosts, filepath.Base(filepath.Dir(m)))
	}
	return hosts, err
}

func readFindings(text []byte) ([]answer, error) {
	var report struct {
		Findings    []json.RawMessage `json:"findings"`
		Notes       []json.RawMessage `json:"notes"`
		NotAssessed []json.RawMessage `json:"not_assessed"`
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	var answers []answer
	for _, raw := range append(report.Findings, report.Notes...) {
		a, err := readAnswer("audit", raw)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	for _, raw := range report.NotAssessed {
		answers = append(answers, answer{By: "missing", Text: string(raw)})
	}
	return answers, nil
}

func readDiagnosis(text []byte) ([]answer, error) {
	var report struct {
		Verdict  string            `json:"verdict"`
		Causes   []json.RawMessage `json:"causes"`
		Possible []json.RawMessage `json:"possible"`
		NotSeen  []json.RawMessage `json:"not_seen"`
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil // no path between the two
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("diagnose: %w", err)
	}
	var answers []answer
	for _, raw := range append(report.Causes, report.Possible...) {
		a, err := readAnswer("diagnose", raw)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	if len(report.Causes) == 0 {
		answers = append([]answer{{By: "diagnose", Title: report.Verdict}}, answers...)
	}
	for _, raw := range report.NotSeen {
		answers = append(answers, answer{By: "missing", Text: string(raw)})
	}
	return answers, nil
}

func readAnswer(by string, raw json.RawMessage) (answer, error) {
	var fields struct {
		Rule    string            `json:"rule"`
		ID      string            `json:"id"`
		Title   string            `json:"title"`
		Verdict string            `json:"verdict"`
		Remedy  []json.RawMessage `json:"remedy"`
		Advice  []json.RawMessage `json:"advice"`
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return answer{}, fmt.Errorf("%s: %w", by, err)
	}
	a := answer{By: by, Title: strings.TrimSpace(fields.ID + " " + fields.Title), Text: string(raw)}
	for _, part := range append(fields.Remedy, fields.Advice...) {
		a.Advice += settingText(part) + "\n"
	}
	return a, nil
}

// settingText writes a setting as attribute=value; other advice stays as it is.
func settingText(raw json.RawMessage) string {
	var s struct{ Attr, Value string }
	if err := json.Unmarshal(raw, &s); err == nil && s.Attr != "" {
		return s.Attr + "=" + s.Value
	}
	return string(raw)
}
