package importer_test

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
)

var everyMutation = flag.Bool("every-mutation", false, "read every real output in every mutation, not in one of each kind")

// mutation holds what a ticket, a wiki or a terminal makes of an output.
type mutation struct {
	name   string
	change func(text string) string
}

// mutations are, by kind, indentation as a whole and bare prompts around.
func mutations() (kinds [2][]mutation) {
	for _, by := range []string{"  ", "    ", "\t"} {
		kinds[0] = append(kinds[0], mutation{fmt.Sprintf("indented by %q", by), func(text string) string { return indented(text, by) }})
	}
	for _, p := range []string{"# ", "$ ", "> ", "root@lpar1:/> ", "(0) root @ lpar1: 7.2.0.0: /", "padmin@vios1 $"} {
		kinds[1] = append(kinds[1], mutation{fmt.Sprintf("between prompts %q", p), func(text string) string {
			return p + "\n" + strings.TrimSuffix(text, "\n") + "\n" + p + "\n"
		}})
	}
	return kinds
}

// indented is a text with blanks before every line that holds something.
func indented(text, by string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) != "" {
			b.WriteString(by)
		}
		b.WriteString(l)
	}
	return b.String()
}

// A real output that is indented as a whole, or stands between bare prompts, is
// recognised, and understood as far, as without.
func TestMutations(t *testing.T) {
	all := map[string]string{}
	root := filepath.Dir(filepath.Dir(codectest.First(t, "INDEX.tsv")[0]))
	for _, file := range codectest.Files(t, "*/*.txt", "*/*/*.txt") {
		all[strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(root)+"/")] = codectest.Text(t, file)
	}
	names := draw.OneIn(t, 12, slices.Sorted(maps.Keys(all)))
	maps.DeleteFunc(all, func(name, _ string) bool { return !slices.Contains(names, name) })
	plain := readMutated(t, all)
	for name, f := range plain {
		if strings.Contains(strings.Join(f.Warnings, "\n"), "blanks before") {
			t.Errorf("%s: blanks were taken off that the command printed", name)
		}
	}
	for _, kind := range mutations() {
		files := 0
		same := 0
		lines := 0
		kept := 0
		for k, m := range kind {
			changed, i := map[string]string{}, 0
			for _, name := range names {
				i++
				if *everyMutation || i%len(kind) == k {
					changed[name] = m.change(all[name])
				}
			}
			for name, got := range readMutated(t, changed) {
				want := plain[name]
				if outputs(want) == "" {
					continue
				}
				files++
				lines += want.Understood + want.Kept
				kept += min(got.Understood+got.Kept, want.Understood+want.Kept)
				if outputs(got) == outputs(want) {
					same++
				} else {
					t.Logf("%s %s: got%s, want%s", name, m.name, outputs(got), outputs(want))
				}
			}
		}
		t.Logf("%s …: %d of %d files, %d of %d lines", kind[0].name, same, files, kept, lines)
		if files == 0 || same*100 < files*98 || kept*1000 < lines*995 {
			t.Errorf("%s …: %d of %d files and %d of %d lines are as without, want 98 %% and 99.5 %%", kind[0].name, same, files, kept, lines)
		}
	}
}

// readMutated imports texts, and gives what became of each.
func readMutated(t *testing.T, texts map[string]string) map[string]importer.File {
	t.Helper()
	dir := put(t, texts)
	r, err := importer.Import(t.Context(), []string{dir}, filepath.Join(t.TempDir(), "out"), importer.Options{})
	if r == nil { // else the error says that they are not of one host
		t.Fatal(err)
	}
	files := map[string]importer.File{}
	for _, f := range r.Files {
		files[strings.TrimPrefix(f.File, filepath.ToSlash(dir)+"/")] = f
	}
	return files
}

// outputs are those that are recognised in a file, in order.
func outputs(f importer.File) string {
	var b strings.Builder
	for _, p := range f.Parts {
		if p.ID != "" {
			fmt.Fprintf(&b, " %s %s", p.ID, p.Element)
		}
	}
	return b.String()
}
