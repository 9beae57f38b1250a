package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/cli"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/test/codectest"
)

// command runs a command line and gives what it printed.
func command(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if got := cli.Main(context.Background(), args, strings.NewReader(""), &out, &said); got != want {
		t.Fatalf("seaworthy %s: exit status %d, want %d\n%s", strings.Join(args, " "), got, want, said.String())
	}
	return out.String()
}

// verdicts returns what an audit found, in an order that names do not decide.
func verdicts(t *testing.T, dir string) []string {
	t.Helper()
	var f struct {
		Findings, Notes []struct {
			Rule, Title, Severity string
			Element               struct{ Host, Element string }
		}
		NotAssessed []struct{ Rule string } `json:"not_assessed"`
		Passed      int
	}
	text := command(t, 2, "audit", dir, "-f", "json")
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatalf("audit %s: %v\n%s", dir, err, text)
	}
	var list []string
	for _, x := range append(f.Findings, f.Notes...) {
		list = append(list, x.Rule+" "+x.Severity+" "+x.Element.Element)
	}
	for _, x := range f.NotAssessed {
		list = append(list, "not assessed: "+x.Rule)
	}
	list = append(list, "passed "+strings.Repeat("|", f.Passed))
	sort.Strings(list)
	return list
}

// What an audit finds does not depend on the names, and no name is left.
func TestRedactedAudit(t *testing.T) {
	snapshot := saved(t)
	dir := t.TempDir()
	red, key := filepath.Join(dir, "given"), filepath.Join(dir, "key")
	out := command(t, 0, "import", snapshot, "-o", red, "--redact", key)
	want, got := verdicts(t, snapshot), verdicts(t, red)
	if len(want) < 20 || !strings.HasPrefix(want[0], "R") {
		t.Fatalf("the audit of the original finds too little to compare: %v", want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings differ (-original +redacted):\n%s", diff)
	}
	// The path is still joined through both SEAs.
	fleet, err := collect.Inventories(t.Context(), red)
	if err != nil {
		t.Fatal(err)
	}
	original, err := collect.Inventories(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if len(fleet.Hosts) != len(original.Hosts) {
		t.Fatalf("hosts: got %d, want %d", len(fleet.Hosts), len(original.Hosts))
	}
	before, err := graph.Of(original).Path("lpar1", "lpar2")
	if err != nil {
		t.Fatal(err)
	}
	joined := false
	for _, a := range fleet.Hosts {
		for _, b := range fleet.Hosts {
			p, err := graph.Of(fleet).Path(a.Name, b.Name)
			joined = joined || err == nil && a != b && len(p.Hops) == len(before.Hops) && len(p.Gaps) == len(before.Gaps)
		}
	}
	if !joined {
		t.Errorf("no two redacted hosts have a path of %d hops", len(before.Hops))
	}
	for word, file := range identities(t, snapshot) {
		for _, left := range holders(t, red, word) {
			t.Errorf("%q, which stands in %s, is left in %s", word, file, left)
		}
		if strings.Contains(strings.ReplaceAll(out, snapshot, ""), word) && !strings.Contains(file, "/"+word+"/") {
			t.Errorf("%q is in what import printed", word)
		}
	}
}

var identity = regexp.MustCompile(`\b(?:(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|[0-9a-f]{1,2}(?:\.[0-9a-f]{1,2}){5}|10\.10\.10\.\d+|21SEA0\d|(?:lpar|vios)\d|(?:[0-9A-F]{12}))\b`)

// identities are the addresses, MACs, names and serial numbers in a snapshot,
// each with a file it stands in.
func identities(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	walk(t, dir, func(path, text string) {
		for _, m := range identity.FindAllString(text, -1) {
			if strings.Trim(m, "0:.") == "" || strings.HasPrefix(m, "ff:ff") || strings.Trim(m, "0123456789") == "" {
				continue
			}
			found[m] = path
		}
	})
	kinds := map[bool]int{}
	for w := range found {
		kinds[strings.Contains(w, ":")]++
	}
	if kinds[true] < 3 || kinds[false] < 5 {
		t.Fatalf("only %d MACs and %d other identities in the snapshot: the test would prove nothing", kinds[true], kinds[false])
	}
	return found
}

func holders(t *testing.T, dir, word string) []string {
	t.Helper()
	var list []string
	walk(t, dir, func(path, text string) {
		if strings.Contains(strings.ToLower(strings.TrimPrefix(path, dir)+"\n"+text), strings.ToLower(word)) {
			list = append(list, path)
		}
	})
	return list
}

func walk(t *testing.T, dir string, visit func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			visit(path, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every verb takes what import made of the corpus.
func TestCorpusAudit(t *testing.T) {
	corpus := filepath.Dir(codectest.First(t, "INDEX.tsv")[0])
	dir := filepath.Join(t.TempDir(), "today")
	command(t, 1, "import", corpus, "-o", dir, "-f", "json") // hosts of one collection that bear its name are not merged
	var f struct{ Hosts, Failed []any }
	text := command(t, 0, "audit", dir, "--fail-on", "never", "-f", "json")
	if err := json.Unmarshal([]byte(text), &f); err != nil || len(f.Hosts) < 20 || len(f.Failed) > 0 {
		t.Errorf("audit: %d hosts, failed %v, %v", len(f.Hosts), f.Failed, err)
	}
	command(t, 0, "show", "tree", dir)
	command(t, 0, "show", "host", dir, "-f", "json")
}
