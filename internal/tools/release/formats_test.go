package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/cli"
	labcli "seaworthy/lab/cli"
)

// source is the repository's root.
const source = "../../.."

// formats are those that the source names, with the file that does.
func formats(t *testing.T) map[string]string {
	t.Helper()
	constant := regexp.MustCompile(`(?m)^(?:const|\s)\s*\w*Schema\w*\s*=\s*"(seaworthy\.[a-z-]+/\d+)"`)
	all := map[string]string{}
	for _, dir := range []string{"internal", "lab"} {
		err := filepath.WalkDir(filepath.Join(source, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range constant.FindAllSubmatch(text, -1) {
				all[string(m[1])] = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 10 {
		t.Errorf("found %d formats in the source, want more than 10", len(all))
	}
	return all
}

// Every format of a file stands in docs/releasing.md, with what to do about a file of another version.
func TestFormatsAreNamed(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(source, "docs/releasing.md"))
	if err != nil {
		t.Fatal(err)
	}
	for format, path := range formats(t) {
		if !bytes.Contains(page, []byte("`"+format+"`")) {
			t.Errorf("%s: docs/releasing.md does not name %s", path, format)
		}
	}
}

// read are the formats that a command reads again: a file of each, with a %s for its format, and the command on it.
var read = map[string]struct{ file, text, command string }{
	"seaworthy.snapshot/1":      {"d/lpar1/manifest.json", `{"schema": %q, "host": "lpar1", "platform": "aix", "commands": []}`, "audit d"},
	"seaworthy.plan/2":          {"plan.json", `{"schema": %q, "id": "0123456789ab", "hosts": [], "steps": []}`, "apply plan.json"},
	"seaworthy.result/1":        {"r.json", `{"schema": %q}`, "report r.json"},
	"seaworthy.rehearsal/1":     {"rehearsal.json", `{"schema": %q}`, "serve"},
	"seaworthy.study/1":         {"study.jsonl", `{"study": {"schema": %q, "space": {}}}`, "tune --resume study.jsonl"},
	"seaworthy.top-recording/1": {"top.jsonl", `{"schema": %q}`, "top --once top.jsonl"},
	"seaworthy.site/1":          {"site.yaml", "schema: %s\n", "drift . -f site.yaml"},
	"seaworthy.fleettoken/1":    {"token", `{"schema": %q}`, "fleet status --token token"},
	"seaworthy.notified/1":      {}, // internal/app/notify tries them
	"seaworthy.replay/3":        {"replay.json", `{"schema": %q}`, "lab replay --show replay.json"},
}

// printed are the formats that no command reads again, or that a file of another format holds.
var printed = []string{"findings", "diagnosis", "diff", "import", "map", "tree", "paths", "prediction", "predictions", "tune", "loop", "report", "top", "drift",
	"notification", "parquet"}

// A file of a newer or an older release is refused by the command that reads it, which says of which release it is and what to do.
func TestOtherVersions(t *testing.T) {
	all := formats(t)
	for _, format := range slices.Sorted(maps.Keys(all)) {
		name, digits, _ := strings.Cut(format, "/")
		number, err := strconv.Atoi(digits)
		if err != nil {
			t.Fatal(err)
		}
		r, isRead := read[format]
		if isRead == slices.Contains(printed, strings.TrimPrefix(name, "seaworthy.")) {
			t.Errorf("%s: %s must be either read or printed alone: add it to this test", all[format], format)
		}
		if !isRead || r.command == "serve" || r.command == "" {
			continue
		}
		for _, other := range []int{number - 1, number + 1} {
			if other == 0 {
				continue // there was none
			}
			t.Run(fmt.Sprintf("%s/%d", name, other), func(t *testing.T) {
				refuses(t, r.file, r.text, r.command, fmt.Sprintf("%s/%d", name, other), other > number)
			})
		}
	}
	for format := range read {
		if all[format] == "" {
			t.Errorf("%s: the source does not name it", format)
		}
	}
}

// refuses fails the test unless a command says of a file that it is of another release, and ends.
func refuses(t *testing.T, file, text, line, format string, newer bool) {
	t.Helper()
	t.Chdir(t.TempDir())
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.WriteFile(file, fmt.Appendf(nil, text, format), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	main := cli.Main
	if strings.HasPrefix(line, "lab ") {
		main = labcli.Main
	}
	var stdout, stderr bytes.Buffer
	exit := main(t.Context(), strings.Fields(line), strings.NewReader(""), &stdout, &stderr)
	said := stdout.String() + stderr.String()
	age := "older release"
	if newer {
		age = "newer release"
	}
	if exit == 0 || !strings.Contains(said, format) || !strings.Contains(said, age) {
		t.Errorf("%s on %s: exit status %d, want it to name the format of a %s:\n%s", line, format, exit, age, said)
	}
}
