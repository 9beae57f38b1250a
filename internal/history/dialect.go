package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"

	"seaworthy/internal/base/fileio"
)

// dialect is what differs between the databases.
type dialect struct {
	name   string
	types  *strings.Replacer // of column types in the schema
	rebind func(query string) string
	tables string // counts all tables, and those that say which version of a history it is
	vacuum string // gives room back to the disk; empty: the database does by itself
	// insert begins an INSERT of many rows in a transaction that is given up when one of them fails.
	insert string
	lock   string // keeps two programs from changing the schema at once; empty: the transaction does
}

var sqliteDialect = dialect{
	name: "SQLite",
	types: strings.NewReplacer("{id}", "INTEGER PRIMARY KEY", "{number}", "INTEGER", "{bytes}", "BLOB",
		"{keyed}", "WITHOUT ROWID"),
	rebind: func(query string) string { return query },
	vacuum: "VACUUM",
	insert: "INSERT OR FAIL", // so SQLite keeps no copy of each page to undo the statement alone
	tables: "SELECT count(*), count(CASE WHEN name = 'seaworthy_history' THEN 1 END) FROM sqlite_master WHERE type = 'table'",
}

var postgresDialect = dialect{
	name: "PostgreSQL",
	types: strings.NewReplacer("{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "{number}", "BIGINT", "{bytes}", "BYTEA",
		"{keyed}", ""),
	rebind: numbered,
	tables: "SELECT count(*), count(CASE WHEN table_name = 'seaworthy_history' THEN 1 END) FROM information_schema.tables " +
		"WHERE table_schema = current_schema()",
	insert: "INSERT",
	lock:   "SELECT pg_advisory_xact_lock(7308612)",
}

// numbered writes the ? of a statement as $1, $2, …; no statement has one in a text.
func numbered(query string) string {
	var b strings.Builder
	n := 0
	for _, c := range query {
		if c != '?' {
			b.WriteRune(c)
			continue
		}
		n++
		b.WriteString("$" + strconv.Itoa(n))
	}
	return b.String()
}

// connect opens the database of a URL; shown is the URL without a password.
func connect(location string) (db *sql.DB, d dialect, shown string, err error) {
	scheme, rest, _ := strings.Cut(location, ":")
	switch scheme {
	case "sqlite":
		db, err = openSQLite(rest)
		return db, sqliteDialect, location, err
	case "postgres", "postgresql":
		db, err = openPostgres(location)
		return db, postgresDialect, withoutPassword(location), err
	}
	return nil, dialect{}, location, errors.New("expected sqlite:FILE or postgres://USER@HOST/DATABASE")
}

// openPostgres opens a database of a server, which is first asked later.
func openPostgres(location string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(location)
	if err != nil {
		return nil, err // its text hides a password
	}
	return stdlib.OpenDB(*config, stdlib.OptionAfterConnect(planForIndexes)), nil
}

// planForIndexes has a connection plan for what a history asks: little of large tables, by their indexes. Compiling such a
// statement, or sharing it out, takes longer than running it, and pages of an index are mostly in memory. What the site or
// the URL set stays.
func planForIndexes(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config(s.name, w.value, false) FROM pg_settings s JOIN (VALUES
		('jit', 'off'), ('random_page_cost', '1.1'), ('max_parallel_workers_per_gather', '0')) w(name, value) ON w.name = s.name
		WHERE s.source = 'default'`)
	return err
}

// withoutPassword is a URL that may be printed.
func withoutPassword(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return "postgres:…"
	}
	q := u.Query()
	if q.Has("password") {
		q.Set("password", "xxxxx")
		u.RawQuery = q.Encode()
	}
	return u.Redacted()
}

// openSQLite opens a file, which is made where there is none: for its owner alone.
func openSQLite(file string) (*sql.DB, error) {
	if file == "" {
		return nil, errors.New("expected sqlite:FILE")
	}
	_, err := fileio.MkdirAll(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = f.Close()
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath()}
	name.RawQuery = "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-65536)" +
		"&_txlock=immediate"
	return sql.Open("sqlite", name.String())
}

// SQLite's result codes for a file that is no database, or a damaged one.
const (
	sqliteCorrupt = 11
	sqliteFull    = 13
	sqliteNotADB  = 26
)

// tries are the different reasons for which tries to connect failed: with TLS and without, to each address.
func tries(err error) string {
	var all []string
	for line := range strings.Lines(err.Error()) {
		all = append(all, strings.TrimSpace(line))
	}
	return strings.Join(slices.Compact(all), "; ")
}

// explain says what to do about an error of a database.
func (s *database) explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqliteCorrupt, sqliteNotADB:
			return fmt.Errorf("history %s: the file is damaged or not a SQLite database: %w; restore a backup, or move the file away "+
				"and add the snapshots again", s.shown, err)
		case sqliteFull:
			return fmt.Errorf("history %s: no room on the disk: %w; nothing of the last snapshots was kept", s.shown, err)
		}
	}
	var pg *pgconn.ConnectError
	if errors.As(err, &pg) {
		hint := ": is PostgreSQL running there?"
		if errors.As(err, new(*pgconn.PgError)) { // it says itself why not
			hint = ""
		}
		return fmt.Errorf("history %s: cannot connect: %s%s", s.shown, tries(pg.Unwrap()), hint)
	}
	return fmt.Errorf("history %s: %w", s.shown, err)
}
