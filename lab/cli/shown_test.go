package cli_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/shown"
)

// runName is how apply says what its run is called.
var runName = regexp.MustCompile(`(?m)^Run (\S+)|seaworthy rollback (\S+)`)

// What these pages show of a lab works as it stands there, from the line that starts the lab to the one that ends it.
func TestShownLabs(t *testing.T) {
	draw.Rarely(t, 10)
	needLab(t)
	for _, file := range []string{"docs/site/start.md", "README.md", "docs/lab.md"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile("../../" + file)
			if err != nil {
				t.Fatal(err)
			}
			lines := oneLab(shown.Text(file, string(text)))
			if len(lines) < 5 {
				t.Fatalf("got %d command lines, want a lab from up to down", len(lines))
			}
			w := newWalk(t)
			defer w.run("seaworthy lab down")
			for _, l := range lines {
				w.shown(l)
			}
		})
	}
}

// oneLab are the lines from the first lab up to the first lab down.
func oneLab(lines []shown.Line) []shown.Line {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l shown.Line) bool { return l.Inline })
	begin := slices.IndexFunc(lines, func(l shown.Line) bool { return strings.HasPrefix(l.Shell, "seaworthy lab up") })
	end := slices.IndexFunc(lines, func(l shown.Line) bool { return l.Shell == "seaworthy lab down" })
	if begin < 0 || end < begin {
		return nil
	}
	return lines[begin : end+1]
}

// shown runs a line of a page. RUN is the run that was applied last.
func (w *walk) shown(l shown.Line) {
	w.t.Helper()
	line := strings.Replace(l.Shell, " RUN", " latest", 1)
	out, errs, exit := w.run(line)
	if exit == 1 || exit == 4 || exit == 64 {
		w.t.Fatalf("%s:%d: %s: exit status %d\n%s%s", l.File, l.Number, line, exit, out, errs)
	}
	if l.Args[0] == "apply" && !runName.MatchString(out+errs) {
		w.t.Errorf("%s:%d: %s does not print the run's name:\n%s%s", l.File, l.Number, line, out, errs)
	}
}
