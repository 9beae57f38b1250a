package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// migrations make the schema, one version each. A version that was released is never
// changed: another one follows. {id}, {number}, {bytes} and {keyed} stand for what databases call differently; a statement
// after onPostgres is for PostgreSQL alone.
//
// Times are nanoseconds since 1970, UTC. A fact's interval ends before `ended`; `listing`
// says by which list of a snapshot its absence is known.
var migrations = [][]string{{
	`CREATE TABLE text (id {id}, text TEXT NOT NULL UNIQUE)`,
	`CREATE TABLE host (id {id}, name TEXT NOT NULL UNIQUE)`,
	`CREATE TABLE sweep (id {id}, added BIGINT NOT NULL, source TEXT NOT NULL)`,
	`CREATE TABLE blob (id {id}, sha256 {bytes} NOT NULL UNIQUE, data {bytes} NOT NULL)`,
	`CREATE TABLE snapshot (host BIGINT NOT NULL, taken BIGINT NOT NULL, sweep BIGINT NOT NULL, digest {bytes} NOT NULL,
		lists SMALLINT NOT NULL, problem TEXT NOT NULL, document BIGINT, PRIMARY KEY (host, taken)) {keyed}`,
	`CREATE INDEX snapshot_taken ON snapshot (taken, host)`,
	`CREATE TABLE miss (host BIGINT NOT NULL, at BIGINT NOT NULL, sweep BIGINT NOT NULL, why TEXT NOT NULL,
		PRIMARY KEY (host, at)) {keyed}`,
	`CREATE TABLE fact (host BIGINT NOT NULL, element BIGINT NOT NULL, attribute BIGINT NOT NULL, layer SMALLINT NOT NULL,
		began BIGINT NOT NULL, ended BIGINT NOT NULL, state SMALLINT NOT NULL, listing SMALLINT NOT NULL, value BIGINT NOT NULL,
		PRIMARY KEY (host, element, attribute, layer, began)) {keyed}`,
	`CREATE INDEX fact_ended ON fact (ended, host) WHERE ended < 9223372036854775807`,
	`CREATE INDEX fact_past ON fact (attribute, host) WHERE ended < 9223372036854775807`,
	`CREATE INDEX fact_value ON fact (attribute, value, host) WHERE ended = 9223372036854775807`,
	`CREATE TABLE run (id TEXT PRIMARY KEY, began BIGINT NOT NULL, ended BIGINT NOT NULL, outcome TEXT NOT NULL)`,
	`CREATE TABLE run_change (run TEXT NOT NULL, host TEXT NOT NULL, element TEXT NOT NULL, attribute TEXT NOT NULL,
		value TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (run, host, element, attribute))`,
	`CREATE INDEX run_change_host ON run_change (host, at)`,
	`CREATE TABLE result (digest {bytes} PRIMARY KEY, made BIGINT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, document BIGINT NOT NULL)`,
}, {
	`CREATE TABLE judging (id {id}, digest {bytes} NOT NULL UNIQUE)`,
	`ALTER TABLE snapshot ADD COLUMN judging BIGINT`,
	`ALTER TABLE snapshot ADD COLUMN facts {bytes}`,
	`CREATE TABLE result_host (result {bytes} NOT NULL, host TEXT NOT NULL, PRIMARY KEY (host, result)) {keyed}`,
	`CREATE INDEX result_made ON result (made)`,
	`CREATE INDEX run_change_at ON run_change (at)`,
}, {
	// Of its snapshots; 0: it has none.
	`ALTER TABLE host ADD COLUMN first_taken BIGINT NOT NULL DEFAULT 0`,
	`ALTER TABLE host ADD COLUMN last_taken BIGINT NOT NULL DEFAULT 0`,
	`ALTER TABLE host ADD COLUMN snapshots BIGINT NOT NULL DEFAULT 0`,
	`ALTER TABLE host ADD COLUMN problem TEXT NOT NULL DEFAULT ''`, // of the last
	`UPDATE host SET first_taken = s.first, last_taken = s.last, snapshots = s.n FROM
		(SELECT host, min(taken) AS first, max(taken) AS last, count(*) AS n FROM snapshot GROUP BY host) s WHERE s.host = host.id`,
	`UPDATE host SET problem = s.problem FROM snapshot s WHERE s.host = host.id AND s.taken = host.last_taken AND s.problem <> ''`,
	// What a host says as last read, to find others like it: see outline.
	`CREATE TABLE outline (host {number} PRIMARY KEY, facts {bytes} NOT NULL)`,
}, {
	// Of a fleet, whose collector read the hosts; empty: none.
	`ALTER TABLE sweep ADD COLUMN zone TEXT NOT NULL DEFAULT ''`,
}, {
	// An index with all that is asked of what holds on, as SQLite's has: PostgreSQL then reads no row of the table. The room
	// that it takes is saved by shorter numbers.
	onPostgres + `DROP INDEX fact_value`,
	onPostgres + `ALTER TABLE fact ALTER COLUMN host TYPE INTEGER, ALTER COLUMN element TYPE INTEGER, ALTER COLUMN attribute TYPE INTEGER,
		ALTER COLUMN value TYPE INTEGER`,
	onPostgres + `CREATE INDEX fact_value ON fact (attribute, value, host, element, began, layer)
		WHERE ended = 9223372036854775807`,
	// Few of many facts change: without this PostgreSQL has seen none when it plans, for months.
	onPostgres + `ALTER TABLE fact SET (autovacuum_analyze_scale_factor = 0.002, autovacuum_vacuum_scale_factor = 0.005)`,
}}

// onPostgres begins a statement that only PostgreSQL needs.
const onPostgres = "/* PostgreSQL */ "

// outlinesSince is the version of the schema that has outlines, which are made from facts.
const outlinesSince = 3

// ErrNewer is when a history was written by a newer version of the program.
var ErrNewer = errors.New("written by a newer version of seaworthy")

// ErrForeign is when a database holds something else.
var ErrForeign = errors.New("the database holds tables that are not a history's")

// migrate brings the schema up to date. tell is called before anything is changed.
func (s *database) migrate(ctx context.Context, tell func(line string)) error {
	version, err := s.version(ctx)
	if err != nil {
		return err
	}
	latest := len(migrations)
	switch {
	case version > latest:
		return fmt.Errorf("%w: its schema is version %d, this one knows versions up to %d: use the newer program", ErrNewer, version, latest)
	case version == latest:
		return nil
	case version == 0:
		tell(fmt.Sprintf("history %s: new, its tables are created (schema version %d)", s.shown, latest))
	default:
		tell(fmt.Sprintf("history %s: its schema is brought from version %d to %d; older versions of seaworthy cannot read it then",
			s.shown, version, latest))
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing is left to undo once it is committed
	if s.dialect.lock != "" {
		_, err = tx.ExecContext(ctx, s.dialect.lock)
		if err != nil {
			return err
		}
	}
	err = s.run(ctx, tx)
	if err != nil {
		return err
	}
	return tx.Commit()
}

// run runs the migrations that the database lacks; another program may have run some meanwhile.
func (s *database) run(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS seaworthy_history (version INTEGER PRIMARY KEY, since BIGINT NOT NULL)")
	if err != nil {
		return err
	}
	var version int
	err = tx.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM seaworthy_history").Scan(&version)
	if err != nil {
		return err
	}
	for version < len(migrations) {
		for _, statement := range migrations[version] {
			if strings.HasPrefix(statement, onPostgres) && s.dialect.name != postgresDialect.name {
				continue
			}
			_, err = tx.ExecContext(ctx, s.dialect.types.Replace(statement))
			if err != nil {
				return fmt.Errorf("schema version %d: %w", version+1, err)
			}
		}
		version++
		if version == outlinesSince {
			err = s.putOutlines(ctx, &transaction{Tx: tx})
			if err != nil {
				return fmt.Errorf("schema version %d: %w", version, err)
			}
		}
		_, err = tx.ExecContext(ctx, s.dialect.rebind("INSERT INTO seaworthy_history VALUES (?, ?)"), version, stamp(time.Now()))
		if err != nil {
			return err
		}
	}
	return nil
}

// version gives the version of the schema; 0: the database is empty.
func (s *database) version(ctx context.Context) (int, error) {
	var tables, own int
	err := s.db.QueryRowContext(ctx, s.dialect.tables).Scan(&tables, &own)
	switch {
	case err != nil || tables == 0:
		return 0, err
	case own == 0:
		return 0, fmt.Errorf("%w: give it a database of its own", ErrForeign)
	}
	var version int
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM seaworthy_history").Scan(&version)
	return version, err
}
