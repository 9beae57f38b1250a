package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/internal/remote"
)

// Examination holds what was found on one host.
type Examination struct {
	Host     string         `json:"host"`
	Platform model.Platform `json:"platform,omitempty"`
	Login    string         `json:"login,omitempty"` // aix, vios (root), padmin, linux, hmc
	Level    string         `json:"level,omitempty"` // as the host prints it
	Results  []Result       `json:"assumptions"`
	Error    string         `json:"error,omitempty"` // why the host was not examined
}

// Result is one assumption on one host.
type Result struct {
	ID        string              `json:"id"`
	Statement string              `json:"statement"`
	Verdict   knowledge.Verdict   `json:"verdict"`
	Witness   knowledge.Witness   `json:"witness"`
	Source    string              `json:"source"`
	Command   string              `json:"command,omitempty"` // without what sets the environment; empty: untested
	Answer    *knowledge.Answer   `json:"answer,omitempty"`
	Why       string              `json:"why,omitempty"` // why nothing is known
	Features  []knowledge.Leaning `json:"features"`
}

// Options of an examination.
type Options struct {
	Platforms map[string]model.Platform // as the inventory file has them
	Features  []knowledge.Feature       // only what these lean on; none: everything
}

const (
	atOnce    = 4        // tests of one host: sshd allows ten sessions
	maxAnswer = 16 << 10 // bytes of an answer
)

var levels = map[string]string{
	"aix": "oslevel -s", "vios": "ioscli ioslevel", "padmin": "ioscli ioslevel", "linux": "uname -r", "hmc": "lshmc -V",
}

// Examine tests a host. The error says that it could not be reached or is
// neither AIX, VIOS, Linux nor an HMC.
func Examine(ctx context.Context, h remote.Host, o Options) (*Examination, error) {
	all, err := knowledge.Assumptions()
	if err != nil {
		return nil, err
	}
	id, err := collect.Identify(ctx, h, o.Platforms[h.Name()])
	if err != nil {
		return nil, err
	}
	e := &Examination{Host: h.Name(), Platform: id.Platform(), Login: id.Login(), Results: []Result{}}
	if e.Login == "" {
		return nil, fmt.Errorf("%s: uname reports neither AIX, VIOS nor Linux, and lshmc -V does not answer as on an HMC", h.Name())
	}
	var about []knowledge.Assumption
	for _, a := range all {
		if slices.Contains(a.On, e.Login) && leanedOn(a, o.Features) {
			about = append(about, a)
		}
	}
	e.Results = make([]Result, len(about))
	var work errgroup.Group
	work.SetLimit(atOnce)
	if o.Features == nil {
		work.Go(func() error {
			res, err := id.Host().Run(ctx, remote.Command{Line: id.Line(levels[e.Login], e.Login != "padmin"), Limit: knowledge.TrialLimit})
			if err == nil && res.Exit == 0 {
				e.Level = level(e.Login, res.Stdout)
			}
			return nil
		})
	}
	answers := together(ctx, id, about)
	for i, a := range about {
		work.Go(func() error {
			e.Results[i] = test(ctx, id, a, answers[i])
			return nil
		})
	}
	_ = work.Wait() // what went wrong is in the results
	return e, context.Cause(ctx)
}

// level returns what a host prints of it; an HMC prints much more.
func level(login string, text []byte) string {
	if login == collect.PlatformHMC {
		if l, err := hmc.Parse(text); err == nil && len(l.Records) > 0 {
			v, _ := l.Records[0].Get("base_version")
			return strings.TrimSpace(v)
		}
	}
	return strings.TrimSpace(string(text))
}

// leanedOn reports whether one of the features leans on an assumption that can
// be tested.
func leanedOn(a knowledge.Assumption, features []knowledge.Feature) bool {
	return features == nil || a.Test != nil && slices.ContainsFunc(a.Features, func(l knowledge.Leaning) bool {
		return slices.Contains(features, l.Feature)
	})
}

// together runs most tests in one session: a fleet is tested before it is
// changed. Those about the session itself, and of several lines, need their own.
func together(ctx context.Context, id collect.Identity, about []knowledge.Assumption) map[int]*remote.Result {
	var lines []string
	var of []int
	for i, a := range about {
		if a.Test != nil && a.Root && !strings.Contains(a.Test.Run, "\n") {
			lines, of = append(lines, a.Test.Run), append(of, i)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	out := map[int]*remote.Result{}
	for n, res := range id.Together(ctx, lines, knowledge.TrialLimit) {
		out[of[n]] = res
	}
	return out
}

// test reads an answer, or asks for it if there is none.
func test(ctx context.Context, id collect.Identity, a knowledge.Assumption, res *remote.Result) Result {
	r := Result{ID: a.ID, Statement: a.Statement, Verdict: knowledge.Untested, Witness: a.Witness, Source: a.Source, Features: a.Features}
	if a.Test == nil {
		r.Why = "nothing harmless shows it"
		return r
	}
	r.Command = a.Test.Run
	limit := a.Test.Limit
	if limit == 0 {
		limit = knowledge.TrialLimit
	}
	if res == nil {
		var err error
		h := id.Host()
		if a.Test.Raw {
			h = id.Raw()
		}
		if res, err = h.Run(ctx, remote.Command{Line: id.Line(a.Test.Run, a.Root), Limit: limit, MaxOutput: maxAnswer}); err != nil {
			r.Verdict, r.Why = knowledge.Unknown, err.Error()
			return r
		}
	}
	r.Answer = &knowledge.Answer{Stdout: string(res.Stdout), Stderr: string(res.Stderr), Exit: res.Exit}
	r.Verdict = a.Test.Read(*r.Answer)
	return r
}

// Consequence is a broken assumption and what a feature does about it.
type Consequence struct {
	Host   string
	Result Result
	Does   knowledge.Leaning
}

// Of gives what a feature does about each assumption that is broken.
func (e *Examination) Of(f knowledge.Feature) []Consequence {
	var out []Consequence
	for _, r := range e.Results {
		for _, l := range r.Features {
			if r.Verdict == knowledge.Broken && l.Feature == f {
				out = append(out, Consequence{e.Host, r, l})
			}
		}
	}
	return out
}

// Count is how many assumptions have a verdict.
func (e *Examination) Count(v knowledge.Verdict) int {
	n := 0
	for _, r := range e.Results {
		if r.Verdict == v {
			n++
		}
	}
	return n
}

// Refuses reports whether any feature refuses to work on the host.
func (e *Examination) Refuses() bool {
	return slices.ContainsFunc(knowledge.Features, func(f knowledge.Feature) bool {
		return slices.ContainsFunc(e.Of(f), func(c Consequence) bool { return c.Does.Broken == knowledge.Refuse })
	})
}
