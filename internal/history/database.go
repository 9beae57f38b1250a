package history

import (
	"context"
	"database/sql"
	"errors"
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
