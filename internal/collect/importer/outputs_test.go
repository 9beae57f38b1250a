package importer_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "rewrite docs/real-outputs.tsv")

// levelOf finds the level of a system in the words of the corpus index.
var levelOf = regexp.MustCompile(`AIX \d\.\d(?:\.\d)?|AIX \d{4}-\d{2}|AIX 7\.x|VIOS \d[\d.x/]*\d|VIOS \d\.x|HMC V\d+|Ubuntu \d\d\.\d\d|CentOS \d(?:\.\d)?|` +
	`RHEL \d(?:\.\d+)?|POWER\d+|kernel \d\.\d+|Linux`)

// tally holds what real outputs there are of one kind.
type tally struct {
	outputs, lines, understood int
	levels                     map[string]bool
}

// Every real output is counted, and gives the values that it gave before.
func TestRealOutputs(t *testing.T) {
	all := realOutputs(t)
	t.Run("counts", func(t *testing.T) { counts(t, all) })
	t.Run("values", func(t *testing.T) { values(t, all) })
}

// counts holds docs/real-outputs.tsv, from which the support matrix is made,
// against the outputs.
func counts(t *testing.T, all []realOutput) {
	kinds := map[string]*tally{}
	for _, one := range all {
		for _, p := range one.file.Parts {
			if p.ID == "" {
				continue
			}
			k := kinds[p.ID]
			if k == nil {
				k = &tally{levels: map[string]bool{}}
				kinds[p.ID] = k
			}
			k.outputs++
			k.lines += p.Lines
			k.understood += p.Read
			for _, l := range levelOf.FindAllString(one.platform, -1) {
				k.levels[l] = true
			}
		}
	}
	var b strings.Builder
	b.WriteString("id\toutputs\tlines\tunderstood\tlevels\n")
	for _, id := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[id]
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\t%s\n", id, k.outputs, k.lines, k.understood, strings.Join(plain(k.levels), ", "))
	}
	file := filepath.Join("..", "..", "..", "docs", "real-outputs.tsv")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("docs/real-outputs.tsv is out of date (-update, then make support-matrix): (-file +counted)\n%s", d)
	}
}

// plain are levels in order; that it is Linux goes without saying beside others.
func plain(levels map[string]bool) []string {
	if len(levels) > 1 {
		delete(levels, "Linux")
	}
	return slices.Sorted(maps.Keys(levels))
}

// realOutput is one file of the collections of real outputs, imported alone: no
// other file's text can take its place.
type realOutput struct {
	name     string // corpus2/errpt/x.txt
	platform string // in the words of the index
	file     importer.File
	output   string // folder of its snapshots
}

// realOutputs imports every file that an index lists.
func realOutputs(t *testing.T) []realOutput {
	t.Helper()
	var all []realOutput
	for _, l := range codectest.Index(t) {
		out := filepath.Join(t.TempDir(), "out")
		got, err := importer.Import(t.Context(), []string{l.Path}, out, importer.Options{})
		if err != nil || len(got.Files) != 1 {
			t.Errorf("%s: %v, %v", l.Name, got, err)
			continue
		}
		all = append(all, realOutput{l.Name, l.Fields[2], got.Files[0], out})
	}
	return all
}
