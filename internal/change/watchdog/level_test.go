package watchdog_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A watcher counts seconds by sleeping, which takes a little longer; the clock
// shows how much, and is not believed where it was set.
func TestLevel(t *testing.T) {
	text, err := os.ReadFile("script/watch.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\ncorrect_count() {\n")
	body, _, ended := strings.Cut(rest, "\n}\n")
	if !ok || !ended {
		t.Fatal("watch.sh has no function correct_count")
	}
	for _, tt := range []struct {
		name, was, date, want string
	}{
		{"on time", "1000", "1010", "50 1010 0"},
		{"a second late", "1000", "1011", "49 1011 0"},
		{"three seconds late", "1000", "1013", "47 1013 0"},
		{"set forward", "1000", "4600", "50 4600 0"},
		{"set back", "1000", "995", "50 995 0"},
		{"the first time", "", "1010", "50 1010 0"},
		{"no such format", "1000", "s", "50  0"},
		{"no date", "1000", "", "50  0"},
	} {
		for _, sh := range shells(t) {
			script := "date() { echo " + tt.date + "; }\ncorrect_count() {\n" + body + "\n}\n" +
				"clock_old=" + tt.was + " clock_count=10 watch_left=50\ncorrect_count\necho \"$watch_left $clock_old $clock_count\"\n"
			out, err := exec.Command(sh, "-c", script).CombinedOutput()
			if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != tt.want {
				t.Errorf("%s, %s: got %q, %v; want %q: what is left, the clock, the count", tt.name, sh, got, err, tt.want)
			}
		}
	}
}
