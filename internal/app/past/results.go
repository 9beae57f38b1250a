package past

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/history"
	"seaworthy/internal/measure"
	measured "seaworthy/internal/measure/history"
	"seaworthy/internal/tune"
)

// largestResult bounds a file that is read as a result.
const largestResult = 64 << 20

// addResults keeps the results of measurements in files, and says how many the history had not.
// Of a folder these are the files in it that hold one; a file that was named must.
func addResults(ctx context.Context, store *history.Store, args []string) (added, found int, failed []fleet.Failure, err error) {
	for _, arg := range args {
		files := []string{arg}
		if fleet.IsFolder(arg) {
			files, err = filepath.Glob(filepath.Join(pattern(arg), "*.json"))
			if err != nil {
				return added, found, failed, err
			}
		}
		for _, file := range files {
			text, why := decode.Read(ctx, file, largestResult)
			var r *measure.Result
			if why == nil {
				r, why = resultOf(text)
			}
			if why != nil {
				if file == arg {
					failed = append(failed, fleet.Failure{Error: fmt.Sprintf("%s: %v", file, fileio.Cause(why))})
				}
				continue
			}
			found++
			is, err := AddResult(ctx, store, r, text)
			if err != nil {
				return added, found, failed, err
			}
			if is {
				added++
			}
		}
	}
	return added, found, failed, nil
}

// pattern is a path in which nothing is a sign of Glob.
func pattern(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func resultOf(text []byte) (*measure.Result, error) {
	s, err := measured.Parse(text)
	if err != nil {
		return nil, err
	}
	return s.Result, nil
}

// AddResult keeps what was measured, with its file; without one it is written. false: the
// history has it.
func AddResult(ctx context.Context, store *history.Store, r *measure.Result, file []byte) (bool, error) {
	if file == nil {
		var err error
		file, err = json.Marshal(r)
		if err != nil {
			return false, err
		}
	}
	hosts := []string{}
	for _, h := range r.Hosts {
		hosts = append(hosts, h.Name)
	}
	for _, end := range []string{r.Options.From, r.Options.To} {
		hosts = append(hosts, hostOf(end))
	}
	slices.Sort(hosts)
	return store.PutResult(ctx, history.Result{Made: r.Started, Kind: "bench " + r.Mode, Summary: summary(r), Hosts: slices.Compact(hosts),
		Document: file})
}

// AddStudy keeps what tune found; false: the history has it.
func AddStudy(ctx context.Context, store *history.Store, r *tune.Result) (bool, error) {
	text := "nothing better was found"
	if r.Found && r.Winner != nil {
		text = fmt.Sprintf("%.4g → %.4g %s by %s", r.Winner.Before, r.Winner.After, r.Unit, r.Winner.Words)
	} else if r.Reason != "" {
		text += ": " + r.Reason
	}
	return keepResult(ctx, store, "tune "+r.Goal, text, r.Started, []string{hostOf(r.From), hostOf(r.To)}, r)
}

// AddDiagnosis keeps a diagnosis of hosts that were read up to a time; false: the history has it.
func AddDiagnosis(ctx context.Context, store *history.Store, d *diagnose.Diagnosis, taken time.Time) (bool, error) {
	var heads []string
	for _, c := range d.Causes {
		heads = append(heads, c.Head())
	}
	text := string(d.Verdict)
	if len(heads) > mostFigures {
		heads = append(heads[:mostFigures], fmt.Sprintf("%d more", len(heads)-mostFigures))
	}
	if len(heads) > 0 {
		text += ": " + strings.Join(heads, "; ")
	}
	hosts := []string{d.From.Host, d.To.Host}
	for _, at := range d.Path {
		hosts = append(hosts, at.Host)
	}
	return keepResult(ctx, store, "diagnose", text, taken, hosts, d)
}

// keepResult keeps a result of some hosts.
func keepResult(ctx context.Context, store *history.Store, kind, text string, made time.Time, hosts []string, r any) (bool, error) {
	document, err := json.Marshal(r)
	if err != nil {
		return false, err
	}
	slices.Sort(hosts)
	hosts = slices.DeleteFunc(slices.Compact(hosts), func(h string) bool { return h == "" })
	return store.PutResult(ctx, history.Result{Made: made, Kind: kind, Summary: text, Hosts: hosts, Document: document})
}

// mostFigures bounds a summary.
const mostFigures = 4

// summary says in a line what was measured.
func summary(r *measure.Result) string {
	var parts []string
	for _, f := range r.Figures {
		var text string
		switch f.Figure {
		case measure.Throughput:
			text = fmt.Sprintf("%.3g Gbit/s", f.Median/1e9)
		case measure.Transactions:
			text = fmt.Sprintf("%.0f transactions/s", f.Median)
		default:
			continue
		}
		parts = append(parts, strings.TrimSpace(f.Variant+" "+text)+" ("+f.Workload+")")
	}
	if len(parts) > mostFigures {
		parts = append(parts[:mostFigures], fmt.Sprintf("%d more", len(parts)-mostFigures))
	}
	ends := hostOf(r.Options.From) + " → " + hostOf(r.Options.To)
	if len(parts) == 0 {
		return ends + ": nothing was finished"
	}
	return "measured " + strings.Join(parts, ", ") + ", " + ends
}

// regular says whether an argument is a file.
func regular(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular()
}
