package expr

import (
	"fmt"
	"reflect"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"

	"seaworthy/audit/graph"
)

// property is what an expression may read of an element (el.speed) or of a
// receive pool (p.max).
type property struct {
	gives *cel.Type
	get   func(v any) ref.Val
}

// of makes a property of what a session answers, or says is missing.
func of[T any](get func(*Session, *graph.Element) (T, error)) property {
	return property{typeOf(reflect.TypeFor[T]()), func(v any) ref.Val {
		n := v.(*node)
		return n.s.answer(get(n.s, n.Element))
	}}
}

// always makes a property of what is known of every element.
func always[T any](get func(*graph.Element) T) property {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e), nil })
}

// related makes a property of what the graph answers, or says is missing.
func related[T any](get func(*graph.Element) (T, error)) property {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e) })
}

// ofPool makes a property of a receive pool.
func ofPool[T any](get func(*pool) (T, error)) property {
	return property{typeOf(reflect.TypeFor[T]()), func(v any) ref.Val {
		p := v.(*pool)
		return p.s.answer(get(p))
	}}
}

// read makes a property of what a command prints of an element, {name}. It is
// noted as evidence in the words of says, of a yes or no "YES|NO"; empty: not.
func read[T any](what, command, says string, get func(*graph.Element) *T) property {
	return of(func(s *Session, e *graph.Element) (T, error) {
		v, how := get(e), strings.ReplaceAll(command, "{name}", e.Name)
		if v == nil {
			return *new(T), e.Missing(what, how)
		}
		text := says
		if strings.Contains(says, "%") {
			text = fmt.Sprintf(says, *v)
		} else if yes, no, ok := strings.Cut(says, "|"); ok {
			text = map[bool]string{true: yes, false: no}[any(*v).(bool)]
		}
		if text != "" {
			s.saw(e, how, "%s %s", e.Name, text)
		}
		return *v, nil
	})
}

// shown makes a pointer of a text or list; an empty one was not read.
func shown[T string | []int](v T) *T {
	if len(v) == 0 {
		return nil
	}
	return &v
}
