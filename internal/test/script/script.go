// Package script has the commands of its own that testscripts of seaworthy and
// of seaworthy-lab use.
package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Exits runs a command and checks its exit status: N, or N|M if any will do.
func Exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N COMMAND…")
	}
	Check(ts, args[0], ts.Exec(args[1], args[2:]...))
}

func Check(ts *testscript.TestScript, want string, err error) {
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if !slices.Contains(strings.Split(want, "|"), strconv.Itoa(got)) {
		ts.Fatalf("exit status: got %d, want %s", got, want)
	}
}

// JSON looks into the JSON printed last.
func JSON(ts *testscript.TestScript, neg bool, args []string) {
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	for key := range strings.SplitSeq(args[0], ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			if key == "len" {
				v = float64(len(x))
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				ts.Fatalf("json %s: no element %s of %d", args[0], key, len(x))
			}
			v = x[i]
		default:
			ts.Fatalf("json %s: %s is below a plain value (%v)", args[0], key, v)
		}
	}
	if text := fmt.Sprint(v); regexp.MustCompile("^(?:"+args[1]+")$").MatchString(text) == neg {
		ts.Fatalf("json %s: got %s, want %s", args[0], text, args[1])
	}
}

// Narrow checks that nothing printed last is wider than a terminal should be.
func Narrow(ts *testscript.TestScript, _ bool, _ []string) {
	for l := range strings.SplitSeq(ts.ReadFile("stdout"), "\n") {
		if n := len([]rune(l)); n > 120 && len(strings.Fields(l)) > 1 {
			ts.Fatalf("a line has %d columns: %s", n, l)
		}
	}
}
