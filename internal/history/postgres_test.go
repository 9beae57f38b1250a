package history

import (
	"path/filepath"
	"slices"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/postgrestest"
)

// postgres starts PostgreSQL in one of some runs of the tests.
func postgres(t *testing.T) (location func() string) {
	t.Helper()
	draw.Rarely(t, 10)
	return postgrestest.Start(t)
}

// eachDatabase runs a test on SQLite and on PostgreSQL.
func eachDatabase(t *testing.T, test func(t *testing.T, location func() string)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		test(t, func() string { return "sqlite:" + filepath.Join(t.TempDir(), "h.sqlite") })
	})
	t.Run("PostgreSQL", func(t *testing.T) { test(t, postgres(t)) })
}

// opened opens an empty history.
func opened(t *testing.T, location string) *Store {
	t.Helper()
	var told []string
	s, err := Open(t.Context(), location, func(line string) { told = append(told, line) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if len(told) != 1 || slices.Contains(told, "") {
		t.Errorf("told %q before the tables were made, want one line", told)
	}
	return s
}

// A connection plans for indexes, unless its URL says otherwise.
func TestPostgresPlans(t *testing.T) {
	location := postgres(t)()
	got := func(more string) string {
		s, err := Open(t.Context(), location+more, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var jit, cost string
		_, err = s.one(t.Context(), s.db, []any{&jit, &cost}, "SELECT current_setting('jit'), current_setting('random_page_cost')")
		if err != nil {
			t.Fatal(err)
		}
		return jit + " " + cost
	}
	equal(t, "as history sets it", got(""), "off 1.1")
	equal(t, "as the URL sets it", got("&random_page_cost=3&jit=on"), "on 3")
}
