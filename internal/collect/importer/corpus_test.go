package importer_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/test/codectest"
)

// kindOf brings a command line of the corpus index, and a kind of the
// importer, to one form: the program with the option that makes its output.
func kindOf(command string) string {
	words := strings.Fields(strings.TrimPrefix(command, "ioscli "))
	line := " " + strings.Join(words[1:], " ") + " "
	has := func(options ...string) string {
		for _, o := range options {
			if strings.Contains(line, " "+o) {
				return words[0] + " " + o
			}
		}
		return words[0]
	}
	switch words[0] {
	case "entstat":
		return "entstat"
	case "lsattr":
		return "lsattr"
	case "lsdev":
		return "lsdev"
	case "oslevel", "oslevel;":
		return "oslevel"
	case "lsconf":
		return "prtconf"
	case "lscfg", "seastat", "vnicstat", "mpstat", "vmstat", "fcstat", "lssrad", "lsmcode", "vmo", "nmon", "errpt", "prtconf":
		return words[0]
	case "netstat":
		if strings.Contains(line, " -nr") {
			return "netstat -rn"
		}
		return has("-rn", "-in", "-s")
	case "lparstat":
		return has("-i", "-H", "-W")
	case "no":
		if strings.Contains(line, "-L") {
			return "no -L"
		}
		return "no -a"
	case "lshwres":
		return "lshwres " + strings.Fields(line[strings.Index(line, "-r ")+3:])[0]
	case "lssyscfg":
		return has("-r lpar", "-r prof")
	case "ifconfig":
		return has("-a", "-l")
	case "lshmc":
		return "lshmc"
	}
	return command
}

// The corpus index says what each file is.
func TestCorpus(t *testing.T) {
	index := codectest.First(t, "INDEX.tsv")[0]
	f, err := os.Open(index)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := csv.NewReader(f)
	rows.Comma, rows.LazyQuotes = '\t', true
	all, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, r := range all[1:] {
		want[r[0]] = kindOf(r[1])
		if strings.HasPrefix(r[0], "lsseas_report/") {
			want[r[0]] = "report of several commands"
		}
	}
	corpus := filepath.Dir(index)
	dir := filepath.Join(t.TempDir(), "out")
	r, err := importer.Import(t.Context(), []string{corpus}, dir, importer.Options{})
	if err != nil && !strings.Contains(err.Error(), "outputs of two hosts") { // files of a collection that bear one name may be
		t.Fatal(err)
	}
	fleet, err := collect.Inventories(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	right, lines := 0, 0
	for _, f := range r.Files {
		rel, err := filepath.Rel(corpus, filepath.FromSlash(f.File))
		if err != nil {
			t.Fatal(err)
		}
		w, listed := want[filepath.ToSlash(rel)]
		got := f.Kind
		if got != importer.Unrecognised && !strings.Contains(got, " of ") {
			got = kindOf(got)
		}
		switch {
		case !listed:
			if got != importer.Unrecognised {
				t.Errorf("%s: got %q, want nothing: it is no output", rel, got)
			}
		case got != w:
			t.Errorf("%s: got %q, want %q", rel, got, w)
		default:
			right++
		}
		for _, part := range f.Parts {
			if part.Coverage != nil && *part.Coverage < 0.8 {
				t.Errorf("%s: %s: %d of %d lines understood", rel, part.Kind, part.Understood, part.Lines)
			}
			if part.Coverage != nil {
				lines += part.Lines
			}
		}
		delete(want, filepath.ToSlash(rel))
	}
	for rel := range want {
		t.Errorf("%s: not in the result", rel)
	}
	t.Logf("%d files are what the index says; %d of %d lines understood; %d hosts", right, r.Understood, lines, len(fleet.Hosts))
	if r.Understood*1000 < lines*995 {
		t.Errorf("%d of %d lines understood, want 99.5 %%", r.Understood, lines)
	}
	if len(fleet.Hosts) < 20 {
		t.Errorf("hosts: got %d, want those that the corpus is from, at least 20", len(fleet.Hosts))
	}
}
