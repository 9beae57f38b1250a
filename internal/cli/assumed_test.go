package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/cli"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
)

// features are the subcommands that test what they lean on before they begin.
var features = map[knowledge.Feature][]string{
	knowledge.Applying:      {"apply", "plan.json"},
	knowledge.ConfirmWithin: {"apply", "plan.json", "--confirm-within", "30s", "--no-wait"},
	knowledge.ProbingMTU:    {"probe", "mtu", "lpar1", "lpar2"},
	knowledge.Benchmarking:  {"bench", "run", "--from", "lpar1", "--to", "lpar2", "--target", "127.0.0.1", "-n", "1", "--seconds", "0.1"},
	knowledge.Collecting:    {"collect", "lpar1", "vios1", "-o", "saved"},
}

func answer(a knowledge.Answer) remotetest.Handler {
	return func(_ context.Context, c *remotetest.Call) int {
		fmt.Fprint(c.Stdout, a.Stdout)
		fmt.Fprint(c.Stderr, a.Stderr)
		return a.Exit
	}
}

// With each assumption broken in turn on the hosts of a fleet, the subcommands
// that lean on it refuse before anything is changed, or say which other way
// they take.
func TestAssumptionsBroken(t *testing.T) {
	list, err := knowledge.Assumptions()
	if err != nil {
		t.Fatal(err)
	}
	fakes := fakeFleet(t)
	handlers := map[string]remotetest.Handler{}
	for login, h := range fakes {
		handlers[login] = h.serve
	}
	fleet := remotetest.Start(t, handlers)
	for _, name := range []string{"XDG_STATE_HOME", "HOME"} {
		t.Setenv(name, t.TempDir())
	}
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		exit := cli.Main(context.Background(), append(args, "-F", fleet.Config), strings.NewReader(""), &out, &errs)
		return exit, errs.String()
	}
	t.Chdir(t.TempDir())
	if exit, said := run("plan", "lpar1", "vios1", "--set", "lpar1:en0:mtu_bypass=on", "--set", "vios1:ent5:largesend=0",
		"--accept", "redundancy", "-o", "plan.json"); exit != 0 && exit != 2 {
		t.Fatalf("plan: %d %s", exit, said)
	}
	for _, a := range draw.OneIn(t, 3, list) {
		hosts := map[string]string{}
		if slices.Contains(a.On, "padmin") {
			hosts["vios1"] = "padmin@vios1"
		}
		if slices.Contains(a.On, "aix") {
			hosts["lpar1"] = "root@lpar1"
		}
		if a.Test == nil || len(hosts) == 0 {
			continue
		}
		for _, l := range a.Features {
			for name, login := range hosts {
				if name == "vios1" && (l.Feature == knowledge.ProbingMTU || l.Feature == knowledge.Benchmarking) {
					continue // it is not an end of the path
				}
				h := fakes[login]
				e := a.Examples.Broken
				line := regexp.MustCompile(`(?:^|; )` + regexp.QuoteMeta(a.Test.Run) + "|" + regexp.QuoteMeta("; "+strings.ReplaceAll(a.Test.Run, "'", `'\''`)))
				h.mu.Lock()
				h.faults = []fault{{line, answer(e)}}
				h.mu.Unlock()
				before := len(fleet.Server(name).Lines())
				os.RemoveAll(filepath.Join(".", "saved"))
				exit, said := run(features[l.Feature]...)
				changed := slices.ContainsFunc(fleet.Server(name).Lines()[before:], func(s string) bool { return strings.Contains(s, "chdev") })
				switch {
				case l.Feature == knowledge.Collecting: // the way is its usual one: it never fails, but of a host that is nothing known
					if exit != 0 && (exit != 3 || !strings.Contains(said, "uname reports neither")) {
						t.Errorf("%s broken on %s: collect: exit status %d: %s", a.ID, name, exit, said)
					}
				case l.Broken == knowledge.Refuse:
					if exit != 2 || !strings.Contains(said, l.Why) || !strings.Contains(said, "seaworthy doctor "+name) || changed {
						t.Errorf("%s broken on %s: %s: exit status %d, changed %t, %s; want a refusal", a.ID, name, l.Feature, exit, changed, said)
					}
				default:
					if !strings.Contains(said, l.Why) || strings.Contains(said, "refused: ") {
						t.Errorf("%s broken on %s: %s: exit status %d, %s; want the other way in words", a.ID, name, l.Feature, exit, said)
					}
				}
				h.mu.Lock()
				h.faults = nil
				h.mu.Unlock()
			}
		}
	}
}
