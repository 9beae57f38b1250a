package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/shown"
)

var started = regexp.MustCompile(`(?m)^Run (\S+)|seaworthy rollback (\S+)`)

// What "Start in five minutes" shows works as it stands there, from the first line to the last, in one lab.
func TestStartInFiveMinutes(t *testing.T) {
	draw.Rarely(t, 10)
	needLab(t)
	text, err := os.ReadFile("../../docs/site/start.md")
	if err != nil {
		t.Fatal(err)
	}
	w := newWalk(t)
	defer w.run("seaworthy lab down")
	run := ""
	seen := map[string]bool{}
	for _, l := range shown.Text("start.md", string(text)) {
		if l.Args[0] == "demo" || seen[l.Shell] && l.Args[0] != "diagnose" || l.Inline {
			continue // the demo has a test of its own
		}
		seen[l.Shell] = true
		line := strings.Replace(l.Shell, "RUN", run, 1)
		out, errs, exit := w.run(line)
		if exit == 1 || exit == 4 || exit == 64 || out == "" && !strings.Contains(line, " lab ") && !strings.Contains(line, "-o ") {
			t.Fatalf("start.md:%d: %s: exit status %d\n%s%s", l.Number, line, exit, out, errs)
		}
		if l.Args[0] == "apply" {
			run = "latest"
			if !started.MatchString(out + errs) {
				t.Errorf("start.md:%d: the page says that apply prints the run's name:\n%s%s", l.Number, out, errs)
			}
		}
	}
	if !seen["seaworthy rollback RUN -i lab"] || !seen["seaworthy lab down"] {
		t.Errorf("the page was not walked to its end: %v", seen)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "plan.json")); err != nil {
		t.Error(err)
	}
}
