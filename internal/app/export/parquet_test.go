package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"seaworthy/internal/collect"
	"seaworthy/internal/history"
)

var start = time.Date(2026, 11, 1, 23, 59, 0, 0, time.UTC)

// filledHistory is one of two hosts that were read on two days; lpar1 changed in between, lpar2 was not reached the second time.
func filledHistory(t *testing.T, facts int) *history.Store {
	t.Helper()
	store, err := history.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "h.sqlite"), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	reading := func(host string, at time.Time, mtu string) history.Reading {
		m := collect.Manifest{Schema: collect.SchemaSnapshot, Host: host, Platform: "linux", Started: at, Finished: at}
		r := history.Reading{Snapshot: collect.NewSnapshot(m, nil), Lists: history.ListsElements | history.ListsFindings}
		r.Facts = append(r.Facts, history.Fact{Element: "en0", Attribute: "mtu", Value: mtu},
			history.Fact{Element: "en0", Attribute: "R001", Layer: history.Finding, Value: "FINDING", Listing: history.ListsFindings})
		for i := range facts {
			r.Facts = append(r.Facts, history.Fact{Element: fmt.Sprint("en", i), Attribute: "rx", Layer: history.NextBoot, Value: fmt.Sprint(i * 7919)})
		}
		return r
	}
	sweep, err := store.Begin(t.Context(), "test")
	if err == nil {
		err = sweep.Add(t.Context(), []history.Reading{reading("lpar1", start, "1500"), reading("lpar2", start, "1500"),
			reading("lpar1", start.Add(2*time.Minute), "9000")})
	}
	if err == nil {
		err = sweep.Miss(t.Context(), "lpar2", start.Add(2*time.Minute), "no route to host")
	}
	if err == nil {
		err = sweep.End(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func exported(t *testing.T, store *history.Store, q Request) *Exported {
	t.Helper()
	err := q.Check()
	if err != nil {
		t.Fatal(err)
	}
	out, err := q.Parquet(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rowsOf are the rows of a partition.
func rowsOf[T any](t *testing.T, dir, table, date string) []T {
	t.Helper()
	rows, err := parquet.ReadFile[T](filepath.Join(dir, table, "date="+date, "zone=none", "part-0.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestParquet(t *testing.T) {
	store := filledHistory(t, 0)
	dir := filepath.Join(t.TempDir(), "new", "tables")
	exported(t, store, Request{Dir: dir})
	first, second := rowsOf[snapshotRow](t, dir, Snapshots, "2026-11-01"), rowsOf[snapshotRow](t, dir, Snapshots, "2026-11-02")
	if len(first) != 2 || len(second) != 2 || !first[0].Reached || !first[0].RawText {
		t.Errorf("got snapshots %+v and %+v", first, second)
	}
	i := slices.IndexFunc(second, func(r snapshotRow) bool { return r.Host == "lpar2" })
	if i < 0 || second[i].Reached || second[i].Problem == nil || *second[i].Problem != "no route to host" {
		t.Errorf("lpar2 was not reached, got %+v", second)
	}
	facts := append(rowsOf[factRow](t, dir, Facts, "2026-11-01"), rowsOf[factRow](t, dir, Facts, "2026-11-02")...)
	var said []string
	for _, f := range facts {
		to := "now"
		if f.To != nil {
			to = f.To.UTC().Format(time.TimeOnly)
		}
		said = append(said, fmt.Sprintf("%s %s %s=%s %s–%s", f.Host, f.Element, f.Attribute, *f.Value, f.From.UTC().Format(time.TimeOnly), to))
	}
	slices.Sort(said)
	want := []string{"lpar1 en0 mtu=1500 23:59:00–00:01:00", "lpar1 en0 mtu=9000 00:01:00–now", "lpar2 en0 mtu=1500 23:59:00–now"}
	if !slices.Equal(said, want) {
		t.Errorf("got facts %q, want %q", said, want)
	}
	findings := rowsOf[findingRow](t, dir, Findings, "2026-11-01")
	if len(findings) != 2 || findings[0].Rule != "R001" || findings[0].Severity == nil || *findings[0].Verdict != "FINDING" {
		t.Errorf("got findings %+v", findings)
	}

	// Another export replaces it, one of later times alone here.
	exported(t, store, Request{Dir: dir, Since: start.Add(time.Minute), Tables: []string{Snapshots}, Zone: "dmz"})
	left, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
	if err != nil || len(left) != 1 || !strings.HasSuffix(left[0], "date=2026-11-02/zone=dmz") {
		t.Errorf("got %q, %v, want the partition of the second day alone", left, err)
	}
	beside, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(beside) != 1 {
		t.Errorf("beside the export there is %v, %v", beside, err)
	}
}

// Hosts of a fleet are in the partition of the zone that read them; a name that is no folder's is refused.
func TestZones(t *testing.T) {
	store := filledHistory(t, 0)
	add := func(zone, host string) {
		t.Helper()
		sweep, err := store.BeginIn(t.Context(), zone, "fleet")
		if err == nil {
			err = sweep.Miss(t.Context(), host, start, "no route to host")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("lan", "lpar9")
	dir := filepath.Join(t.TempDir(), "tables")
	exported(t, store, Request{Dir: dir, Tables: []string{Snapshots}, Zone: "dmz"})
	for zone, want := range map[string]int{"lan": 1, "dmz": 2} {
		rows, err := parquet.ReadFile[snapshotRow](filepath.Join(dir, Snapshots, "date=2026-11-01", "zone="+zone, "part-0.parquet"))
		if err != nil || len(rows) != want {
			t.Errorf("zone %s: got %+v, %v, want %d", zone, rows, err, want)
		}
	}
	add("../../evil", "lpar8")
	q := Request{Dir: filepath.Join(t.TempDir(), "tables")}
	err := q.Check()
	if err == nil {
		_, err = q.Parquet(t.Context(), store)
	}
	if err == nil || !strings.Contains(err.Error(), `zone "../../evil" of the history`) {
		t.Errorf("got %v", err)
	}
}

// Rows of many groups come back as they were.
func TestManyRows(t *testing.T) {
	dir := t.TempDir()
	const rows = 2*rowsPerGroup + rowsAtOnce + 1
	to := newPartitioned[counterRow](dir, Counters)
	for i := range uint64(rows) {
		err := to.add(start, NoZone, counterRow{Host: "lpar1", Element: "en0", Counter: "rx", Value: i, Taken: start})
		if err != nil {
			t.Fatal(err)
		}
	}
	err := to.finish()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rowsOf[counterRow](t, dir, Counters, "2026-11-01") {
		if r.Value != uint64(i) || !r.Taken.Equal(start) {
			t.Fatalf("row %d is %+v", i, r)
		}
	}
	if to.table.Rows != rows || to.table.Files != 1 {
		t.Errorf("got %+v", to.table)
	}
}

// What others hold is not replaced, and an error leaves the earlier export.
func TestNotExported(t *testing.T) {
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, "thesis.txt"), nil, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	q := Request{Dir: dir}
	err = q.Check()
	if err == nil {
		t.Error("a folder with other files was taken")
	}
	store := filledHistory(t, 0)
	tables := filepath.Join(t.TempDir(), "tables")
	exported(t, store, Request{Dir: tables})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	q = Request{Dir: tables}
	err = q.Check()
	if err == nil {
		_, err = q.Parquet(ctx, store)
	}
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "nothing of this export was kept") {
		t.Errorf("got %v", err)
	}
	if len(rowsOf[snapshotRow](t, tables, Snapshots, "2026-11-01")) != 2 {
		t.Error("the earlier export is gone")
	}
}

const onSmallDisk = "SEAWORTHY_TEST_SMALL_DISK"

// A disk that fills up: a clear error, and nothing half-written. The disk is one of 32 kB in a mount namespace, which an ordinary
// user makes as well.
func TestFullDisk(t *testing.T) {
	at := os.Getenv(onSmallDisk)
	if at != "" {
		exportOnSmallDisk(t, at)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	at = t.TempDir()
	c := exec.CommandContext(t.Context(), "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
		`mount -t tmpfs -o size=32k none "$0" || exit 42; exec "$1" -test.run 'TestFullDisk$' -test.v`, at, self)
	c.Env = append(os.Environ(), onSmallDisk+"="+at)
	out, err := c.CombinedOutput()
	var status *exec.ExitError
	if errors.Is(err, exec.ErrNotFound) || errors.As(err, &status) && (status.ExitCode() == 42 || bytes.Contains(out, []byte("unshare"))) {
		t.Skipf("no small disk can be mounted here: %v: %s", err, out)
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestFullDisk")) {
		t.Errorf("%v: %s", err, out)
	}
}

func exportOnSmallDisk(t *testing.T, at string) {
	t.Helper()
	small, large := filledHistory(t, 0), filledHistory(t, 4000)
	dir := filepath.Join(at, "tables")
	exported(t, small, Request{Dir: dir, Tables: []string{Snapshots}})
	q := Request{Dir: dir}
	err := q.Check()
	if err == nil {
		_, err = q.Parquet(t.Context(), large)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	text := err.Error()
	for _, want := range []string{dir, "not written: no space left on device", "nothing of this export was kept"} {
		if !strings.Contains(text, want) || strings.Contains(text, ".partial") {
			t.Errorf("got %q, want it to say %q", text, want)
		}
	}
	all, err := os.ReadDir(at)
	if err != nil || len(all) != 1 {
		t.Errorf("got %v, %v, want the earlier export alone", all, err)
	}
	if len(rowsOf[snapshotRow](t, dir, Snapshots, "2026-11-01")) != 2 {
		t.Error("the earlier export is damaged")
	}
}

// duckDB is a Python that has DuckDB: that of $SEAWORTHY_DUCKDB, or the one that .ci/run makes.
func duckDB(t *testing.T) string {
	t.Helper()
	for _, python := range []string{os.Getenv("SEAWORTHY_DUCKDB"), "../../../out/duckdb/bin/python", "python3"} {
		if python != "" && exec.CommandContext(t.Context(), python, "-c", "import duckdb").Run() == nil {
			return python
		}
	}
	t.Skip("no Python with duckdb: python3 -m venv out/duckdb && out/duckdb/bin/pip install duckdb")
	return ""
}

// Another program reads what was written, with the partitions as columns.
func TestDuckDB(t *testing.T) {
	python := duckDB(t)
	dir := filepath.Join(t.TempDir(), "tables")
	exported(t, filledHistory(t, 3), Request{Dir: dir, Zone: "dmz"})
	const script = `import duckdb, json, sys
def ask(table, text):
    source = f"read_parquet('{sys.argv[1]}/{table}/**/*.parquet', hive_partitioning=true)"
    return duckdb.sql(text.replace("TABLE", source)).fetchall()
print(json.dumps({
    "snapshots": ask("snapshots", "select count(*), count(problem), cast(min(date) as varchar), min(zone) from TABLE"),
    "mtu": ask("facts", "select value, \"to\" is null, cast(date as varchar) from TABLE where host='lpar1' and attribute='mtu' order by \"from\""),
    "layers": ask("facts", "select layer, count(*) from TABLE group by layer order by layer"),
    "seconds": ask("facts", "select epoch(\"to\") - epoch(\"from\") from TABLE where \"to\" is not null"),
    "findings": ask("findings", "select rule, severity, count(*) from TABLE group by all"),
}))`
	out, err := exec.CommandContext(t.Context(), python, "-c", script, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got map[string][][]any
	err = json.Unmarshal(out, &got)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, want := range map[string]string{
		"snapshots": `[[4,1,"2026-11-01","dmz"]]`,
		"mtu":       `[["1500",false,"2026-11-01"],["9000",true,"2026-11-02"]]`,
		"layers":    `[["next boot",6],["running",3]]`,
		"seconds":   `[[120]]`,
	} {
		text, err := json.Marshal(got[name])
		if err != nil || string(text) != want {
			t.Errorf("%s: got %s, %v, want %s", name, text, err, want)
		}
	}
	if len(got["findings"]) != 1 || got["findings"][0][0] != "R001" {
		t.Errorf("got findings %v", got["findings"])
	}
}
