package history

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
)

// database runs statements in its dialect.
type database struct {
	db      *sql.DB
	dialect dialect
	shown   string // its URL without a password
}

// query runs a statement that gives rows.
func (s *database) query(ctx context.Context, q querier, text string, args ...any) (*sql.Rows, error) {
	return q.QueryContext(ctx, s.dialect.rebind(text), args...)
}

// exec runs a statement that gives none.
func (s *database) exec(ctx context.Context, q querier, text string, args ...any) error {
	_, err := q.ExecContext(ctx, s.dialect.rebind(text), args...)
	return err
}

// one runs a statement that gives at most one row; false: none.
func (s *database) one(ctx context.Context, q querier, to []any, text string, args ...any) (bool, error) {
	err := q.QueryRowContext(ctx, s.dialect.rebind(text), args...).Scan(to...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// maxPrepared is how many statements a transaction keeps prepared.
const maxPrepared = 100

// transaction keeps the statements that it ran: to prepare one takes SQLite longer than to run it.
type transaction struct {
	*sql.Tx

	prepared map[string]*sql.Stmt // by text; they are closed with the transaction
}

// statement gives a prepared statement; nil: it is run without.
func (t *transaction) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	s := t.prepared[text]
	if s != nil || t.prepared == nil || len(t.prepared) >= maxPrepared {
		return s, nil
	}
	s, err := t.Tx.PrepareContext(ctx, text)
	if err == nil {
		t.prepared[text] = s
	}
	return s, err
}

func (t *transaction) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := t.statement(ctx, text)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return t.Tx.QueryContext(ctx, text, args...)
	}
	return s.QueryContext(ctx, args...)
}

func (t *transaction) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := t.statement(ctx, text)
	if err != nil || s == nil { // the same error comes with the row
		return t.Tx.QueryRowContext(ctx, text, args...)
	}
	return s.QueryRowContext(ctx, args...)
}

func (t *transaction) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	s, err := t.statement(ctx, text)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return t.Tx.ExecContext(ctx, text, args...)
	}
	return s.ExecContext(ctx, args...)
}

// each calls scan for every row, and closes the rows.
func each(rows *sql.Rows, err error, scan func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		err = scan()
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// names reads a column of texts.
func (s *database) names(rows *sql.Rows, err error) (all []string, failed error) {
	var name string
	failed = each(rows, err, func() error {
		err := rows.Scan(&name)
		all = append(all, name)
		return err
	})
	return all, s.explain(failed)
}

func sortedKeys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
