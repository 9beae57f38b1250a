package history

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
)

var start = time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)

// day is the time of a snapshot.
func day(n int) time.Time { return start.Add(time.Duration(n) * 24 * time.Hour) }

// reading is a snapshot of a host that printed a text and shows some facts, as
// ELEMENT ATTRIBUTE VALUE; it has all elements.
func reading(host string, at time.Time, printed string, facts ...string) Reading {
	m := collect.Manifest{Schema: collect.SchemaSnapshot, Host: host, Platform: "aix", Started: at, Finished: at,
		Commands: []collect.Record{{ID: "x", Line: "x", Stdout: "x.txt", Start: at, DurationMS: at.Unix() % 1000}}}
	r := Reading{Snapshot: collect.NewSnapshot(m, map[string][]byte{"x.txt": []byte(printed)}), Lists: ListsElements | ListsFindings}
	for _, f := range facts {
		words := strings.SplitN(f, " ", 3)
		x := Fact{Element: words[0], Attribute: words[1], Value: words[2]}
		switch {
		case words[1] == "element":
			x.Listing = ListsElements
		case strings.HasPrefix(words[1], "R0"):
			x.Layer, x.Listing = Finding, ListsFindings
		}
		r.Facts = append(r.Facts, x)
	}
	return r
}

// put adds snapshots as one sweep.
func put(t *testing.T, s *Store, readings ...Reading) Added {
	t.Helper()
	w, err := s.Begin(t.Context(), "test")
	if err == nil {
		err = w.Add(t.Context(), readings)
	}
	if err == nil {
		err = w.End(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.Added
}

// stored are all facts of a history, without the numbers of its texts.
func storedFacts(t *testing.T, s *Store) (out []string) {
	t.Helper()
	all, err := s.rows(t.Context(), series+" WHERE f.host > ?", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		out = append(out, fmt.Sprintf("%s %s %s: %d–%d %d %q", r.Ref, r.attribute, r.layer, r.began, r.ended, r.state, r.value))
	}
	slices.Sort(out)
	return out
}

// changesIn are changes in short.
func changesIn(all []Change) (out []string) {
	for _, c := range all {
		value := func(v *string) string {
			if v == nil {
				return "none"
			}
			return *v
		}
		out = append(out, fmt.Sprintf("%s %s %s→%s %s–%s", c.Ref, c.Attribute, value(c.Before), value(c.After),
			c.LastSeen.Format("02"), c.FirstSeen.Format("02")))
	}
	return out
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestConformance(t *testing.T) {
	eachDatabase(t, func(t *testing.T, location func() string) {
		t.Run("any order", func(t *testing.T) { anyOrder(t, location) })
		t.Run("questions", func(t *testing.T) { questions(t, opened(t, location())) })
		t.Run("repeated", func(t *testing.T) { repeated(t, location) })
		t.Run("not reached", func(t *testing.T) { notReached(t, opened(t, location())) })
		t.Run("raw text", func(t *testing.T) { rawText(t, opened(t, location())) })
		t.Run("hostile", func(t *testing.T) { hostile(t, opened(t, location())) })
		t.Run("older", func(t *testing.T) { older(t, location()) })
		t.Run("zoned", func(t *testing.T) { zoned(t, opened(t, location())) })
		t.Run("read late", func(t *testing.T) { readLate(t, opened(t, location())) })
		t.Run("newer", func(t *testing.T) { newer(t, location()) })
	})
}

// anyOrder adds snapshots in order and in another one: the facts are the same. Again they
// add nothing.
func anyOrder(t *testing.T, location func() string) {
	random := rand.New(rand.NewPCG(3, 4))
	var all []Reading
	for n := range 8 {
		facts := []string{"ent0 element sea"}
		for a := range 5 {
			if random.IntN(4) > 0 {
				facts = append(facts, fmt.Sprintf("ent0 a%d %d", a, random.IntN(2)))
			}
		}
		if random.IntN(2) > 0 {
			facts = append(facts, "ent1 element virtual-adapter", "ent1 R001 FINDING")
		}
		all = append(all, reading("h", day(n), fmt.Sprint(n%3), facts...))
	}
	inOrder, shuffled := opened(t, location()), opened(t, location())
	for _, r := range all {
		put(t, inOrder, r)
	}
	for _, i := range random.Perm(len(all)) {
		put(t, shuffled, all[i])
	}
	want := storedFacts(t, inOrder)
	if len(want) < 10 {
		t.Fatalf("%d facts: the test would prove little", len(want))
	}
	equal(t, "added in any order", storedFacts(t, shuffled), want)
	equal(t, "added again", put(t, inOrder, all...), Added{Known: len(all)})
	equal(t, "facts after that", storedFacts(t, inOrder), want)
}

// repeated adds hosts that say the same again, without reading them: the history is the same
// as one that read them.
func repeated(t *testing.T, location func() string) {
	program := [32]byte{1}
	on := func(d int, second string) []Reading {
		all := []Reading{reading("h1", day(d), "a", "ent0 element sea", "ent0 R005 FINDING"), reading("h2", day(d), second, "ent0 mtu "+second)}
		var documents []*Document
		for _, r := range all {
			x, err := NewDocument(r.Snapshot)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, x)
		}
		for i := range all {
			all[i].Judging = NewJudging(program, documents)
		}
		return all
	}
	short, long := opened(t, location()), opened(t, location())
	again := func(all []Reading) (bool, Added) {
		t.Helper()
		w, err := short.Begin(t.Context(), "test")
		if err != nil {
			t.Fatal(err)
		}
		var manifests []*collect.Manifest
		var documents []*Document
		for _, r := range all {
			d, err := NewDocument(r.Snapshot)
			if err != nil {
				t.Fatal(err)
			}
			manifests, documents = append(manifests, &r.Snapshot.Manifest), append(documents, d)
		}
		ok, err := w.Repeat(t.Context(), manifests, documents, all[0].Judging)
		if err != nil {
			t.Fatal(err)
		}
		return ok, w.Added
	}
	refused := func(why string, all []Reading) {
		t.Helper()
		ok, added := again(all)
		if ok || added != (Added{}) {
			t.Errorf("%s: %v, %+v", why, ok, added)
		}
	}
	refused("an empty history", on(1, "1500"))
	put(t, short, on(1, "1500")...)
	put(t, long, on(1, "1500")...)
	refused("other outputs of one host", on(2, "9000"))
	refused("an earlier time", on(0, "1500"))
	ok, added := again(on(2, "1500"))
	equal(t, "the same again", added, Added{New: 2})
	equal(t, "the same twice", put(t, short, on(2, "1500")...), Added{Known: 2})
	put(t, long, on(2, "1500")...)
	put(t, short, on(3, "9000")...)
	put(t, long, on(3, "9000")...)
	refused("what the last one but one said", on(4, "1500"))
	program[0]++
	refused("another program", on(4, "9000"))
	equal(t, "facts", storedFacts(t, short), storedFacts(t, long))
	one, err := short.Hosts(t.Context(), day(9))
	if err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	two, err := long.Hosts(t.Context(), day(9))
	if err != nil || len(two) != 2 || two[0].Snapshots != 3 {
		t.Fatalf("%+v, %v", two, err)
	}
	equal(t, "hosts", one, two)
	past, err := short.Snapshots(t.Context(), day(2))
	if err != nil || len(past) != 2 {
		t.Fatalf("%+v, %v", past, err)
	}
	_, err = short.Restore(t.Context(), past[1])
	if err != nil {
		t.Errorf("the raw text of one that was not read: %v", err)
	}
}

func questions(t *testing.T, s *Store) {
	ctx := t.Context()
	put(t, s, reading("h1", day(0), "a", "ent0 element sea", "ent0 largesend 1", "host managed system-1"), reading("h2", day(0), "b", "ent0 largesend 1"))
	put(t, s, reading("h1", day(1), "a", "ent0 element sea", "ent0 largesend 0", "ent0 R005 FINDING", "ent0 mtu 1500"))
	put(t, s, reading("h1", day(2), "a", "ent0 element sea", "ent0 R005 FINDING", "ent0 mtu 1500"))
	put(t, s, reading("h1", day(3), "a", "ent0 element sea", "ent0 largesend 1", "ent0 R005 FINDING", "ent0 mtu 1500"))
	err := s.PutRuns(ctx, []Run{{ID: "r1", Began: day(0).Add(time.Hour), Outcome: "applied", Changes: []RunChange{
		{Ref: model.Ref{Host: "h1", Element: "ent0"}, Attribute: "largesend", Value: "0", At: day(0).Add(time.Hour)}}}})
	if err != nil {
		t.Fatal(err)
	}
	since, err := s.Since(ctx, "largesend", "", "")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "since", changesIn(since.Changes), []string{"h1:ent0 largesend 0→1 02–04", "h1:ent0 largesend 1→0 01–02"})
	if runs := since.Changes[1].Runs; len(runs) != 1 || runs[0].Run != "r1" {
		t.Errorf("the change was made by %+v, want r1", runs)
	}
	since, err = s.Since(ctx, "R005", "h1", "ent0")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "since of a rule", changesIn(since.Changes), []string{"h1:ent0 R005 none→FINDING 01–02"})
	_, err = s.Since(ctx, "largesend", "h9", "")
	if !errors.Is(err, ErrUnknown) {
		t.Errorf("since of a host that is not there: %v", err)
	}
	held, err := s.At(ctx, "h1", "ent0", day(2).Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	var at []string
	for _, h := range held {
		at = append(at, fmt.Sprintf("%s=%s %t", h.Attribute, h.Value, h.Unread))
	}
	equal(t, "at", at, []string{"R005=FINDING false", "element=sea false", "largesend=0 true", "mtu=1500 false"})
	c, err := s.Diff(ctx, day(0), day(1))
	if err != nil {
		t.Fatal(err)
	}
	// What was not read the first time is not a change.
	equal(t, "diff", changesIn(c.Changes), []string{"h1:ent0 R005 none→FINDING 01–02", "h1:ent0 largesend 1→0 01–02"})
	if len(c.NotSeen) != 1 || c.NotSeen[0].Host != "h2" || c.Seen != 1 {
		t.Errorf("diff: not read in between %+v, read %d; want h2, 1", c.NotSeen, c.Seen)
	}
	c, err = s.Diff(ctx, day(1), day(2))
	if err != nil || len(c.Changes) != 0 || len(c.Unread) != 1 || c.Unread[0].Value != "0" {
		t.Errorf("diff with a fact that was not read: %+v, %v", c, err)
	}
	around, err := s.Around(ctx, day(1), day(1), time.Hour, "h1", "h2")
	if err != nil {
		t.Fatal(err)
	}
	// The last of these may have been right after.
	equal(t, "around", changesIn(around), []string{"h1:ent0 largesend 0→1 02–04", "h1:ent0 R005 none→FINDING 01–02", "h1:ent0 largesend 1→0 01–02"})
	for at, want := range map[time.Time][]string{day(0): {"h1", "h2"}, day(1): {"h2"}, day(3): {"h1", "h2"}} {
		hosts, err := s.HostsWith(ctx, at, []Condition{{Attribute: "largesend", Values: []string{"1", "yes"}}})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "hosts with largesend at "+at.String(), hosts, want)
	}
	like, err := s.Similar(ctx, "h2", 3)
	if err != nil || len(like) != 1 || like[0].Host != "h1" || like[0].Alike != 1 {
		t.Errorf("similar to h2: %+v, %v", like, err)
	}
}

// notReached: a host that is not reached has no facts of that time.
func notReached(t *testing.T, s *Store) {
	put(t, s, reading("h", day(0), "a", "ent0 mtu 1500"))
	w, err := s.Begin(t.Context(), "test")
	if err == nil {
		err = w.Miss(t.Context(), "h", day(1), "no route to host")
	}
	if err == nil {
		err = w.End(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Hosts(t.Context(), day(2))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "hosts", all, []Span{{Host: "h", Snapshots: 1, First: day(0), Last: day(0), Missed: day(1), Why: "no route to host"}})
	c, err := s.Diff(t.Context(), day(0), day(2))
	if err != nil || len(c.NotSeen) != 1 || c.Seen != 0 {
		t.Errorf("diff over a time in which the host was not reached: %+v, %v", c, err)
	}
}

// rawText comes back as it was, until it is pruned.
func rawText(t *testing.T, s *Store) {
	ctx := t.Context()
	first, second := reading("h", day(0), strings.Repeat("old\x00\xff", 1000), "ent0 mtu 1500"), reading("h", day(1), "new", "ent0 mtu 1500")
	put(t, s, first, second)
	list, err := s.Snapshots(ctx, day(0).Add(time.Minute), "h")
	if err != nil || len(list) != 1 {
		t.Fatalf("snapshots: %+v, %v", list, err)
	}
	back, err := s.Restore(ctx, list[0])
	if err != nil {
		t.Fatal(err)
	}
	text, err := back.Text(&back.Manifest.Commands[0])
	if err != nil || string(text) != strings.Repeat("old\x00\xff", 1000) || !back.Manifest.Started.Equal(day(0)) {
		t.Errorf("got %q of %s, %v", text, back.Manifest.Started, err)
	}
	before := storedFacts(t, s)
	pruned, err := s.Prune(ctx, day(5))
	if err != nil || pruned.Snapshots != 1 || pruned.Outputs != 2 || pruned.Kept != 1 {
		t.Errorf("pruned %+v, %v; want 1 snapshot with its output and its manifest, 1 kept", pruned, err)
	}
	list, err = s.Snapshots(ctx, day(0))
	if err == nil {
		_, err = s.Restore(ctx, list[0])
	}
	if !errors.Is(err, ErrPruned) {
		t.Errorf("a pruned snapshot: %v", err)
	}
	list, err = s.Snapshots(ctx, day(9))
	if err == nil {
		_, err = s.Restore(ctx, list[0])
	}
	if err != nil {
		t.Errorf("the last snapshot of a host was pruned: %v", err)
	}
	equal(t, "facts after pruning", storedFacts(t, s), before)
	equal(t, "the pruned snapshot again", put(t, s, first), Added{Known: 1})
	w, err := s.Begin(ctx, "test")
	if err == nil {
		err = w.Add(ctx, []Reading{reading("g", day(0), "x"), reading("h", day(0), "other")})
	}
	if err == nil || !strings.Contains(err.Error(), "another one of the same time") {
		t.Errorf("another snapshot of the same time: %v", err)
	}
	all, err := s.Hosts(ctx, day(9))
	if err != nil || len(all) != 1 {
		t.Errorf("hosts after an add that failed: %+v, %v: want h alone", all, err)
	}
}

// hostile: what hosts print and are called is data.
func hostile(t *testing.T, s *Store) {
	name := "h'; DROP TABLE fact; --\x1b[2J\x00\xff"
	value := strings.Repeat("long \" ' ? $1 \x00\xfe", 1000)
	for n := range 2 {
		r := reading(name, day(n), "x")
		r.Facts = []Fact{{Element: "ent0", Attribute: "a?$1", Value: value + fmt.Sprint(n)}}
		put(t, s, r)
	}
	since, err := s.Since(t.Context(), "a?$1", name, "ent0")
	if err != nil || len(since.Changes) != 1 {
		t.Fatalf("since: %+v, %v", since, err)
	}
	if n := len(*since.Changes[0].After); n > maxText {
		t.Errorf("a value of %d bytes is kept", n)
	}
}

// newer: a schema that this program does not know is refused, and so is a database of
// something else.
func newer(t *testing.T, location string) {
	s := opened(t, location)
	err := s.exec(t.Context(), s.db, "INSERT INTO seaworthy_history VALUES (?, ?)", len(migrations)+1, 0)
	if err != nil {
		t.Fatal(err)
	}
	again := func() error {
		other, err := Open(context.Background(), location, func(line string) { t.Errorf("told %q", line) })
		if err == nil {
			_ = other.Close()
		}
		return err
	}
	if err := again(); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer schema: %v", err)
	}
	err = s.exec(t.Context(), s.db, "DROP TABLE seaworthy_history")
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); !errors.Is(err, ErrForeign) {
		t.Errorf("a database of something else: %v", err)
	}
}

// A file that is damaged somewhere gives an error that says so, whatever is asked.
func TestDamagedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.sqlite")
	s := opened(t, "sqlite:"+file)
	for n := range 20 {
		put(t, s, reading(fmt.Sprint("h", n), day(n), strings.Repeat(fmt.Sprint(n), 5000), "ent0 mtu 1500", "ent0 largesend 1"))
	}
	_, err := s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(text); i++ {
		text[i] ^= 0x5a
	}
	err = os.WriteFile(file, text, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	damaged, err := Open(t.Context(), "sqlite:"+file, func(string) {})
	if err == nil {
		_, err = damaged.Hosts(t.Context(), day(99))
		_ = damaged.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "damaged or not a SQLite database") || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v", err)
	}
}

// A URL with a password is never printed with it.
func TestPasswordIsNotPrinted(t *testing.T) {
	for _, location := range []string{
		"postgres://u:s3cret@127.0.0.1:1/db", "postgres://u@127.0.0.1:1/db?password=s3cret", "postgres://u:s3cret@[bad/db",
		"postgres://u:s3cret@127.0.0.1:1/db?sslmode=nonsense",
	} {
		_, err := Open(t.Context(), location, func(string) {})
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", location, err)
		}
	}
}

// The file is for its owner alone, and a name with signs of a URL is a name.
func TestFileIsPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a?mode=memory#b%20c", "h.sqlite")
	opened(t, "sqlite:"+file)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

// A server that does not answer is told once, with what to look for.
func TestNoServer(t *testing.T) {
	_, err := Open(t.Context(), "postgres://u@127.0.0.1:1/db", func(string) {})
	if err == nil || strings.Count(err.Error(), "refused") != 1 || !strings.HasSuffix(err.Error(), ": is PostgreSQL running there?") {
		t.Errorf("got %v", err)
	}
}
