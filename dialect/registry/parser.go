package registry

import "seaworthy/dialect"

// Parser reads a text that a command line printed.
type Parser func(text []byte, command string) (dialect.Value, error)

// reads is the parser of a codec that needs no command line.
func reads[T any, P interface {
	*T
	dialect.Value
}](parse func([]byte) (*T, error)) Parser {
	return func(text []byte, _ string) (dialect.Value, error) {
		v, err := parse(text)
		if err != nil {
			return nil, err
		}
		return P(v), nil
	}
}

// fits is a test of a codec's values.
func fits[T any](test func(*T) bool) func(dialect.Value) bool {
	return func(v dialect.Value) bool {
		x, ok := any(v).(*T)
		return ok && test(x)
	}
}

// mark is a pattern of whole lines of a text.
func mark(expression string) *dialect.Pattern { return dialect.Lazy(`(?m)` + expression) }
