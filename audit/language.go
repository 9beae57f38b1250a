package audit

import (
	"fmt"
	"maps"
	"reflect"
	"sync"

	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/vm"
)

// maxNodes bounds an expression; a site's rules are data too.
const maxNodes = 2000

// language compiles expressions over the rules' words. Describing the words to
// the compiler costs more than compiling, so that is done once per scope.
type language struct {
	words  map[string]any
	scopes map[string]*scope
	late   sync.Mutex // held by who compiles what was put off
}

// scope is the words plus the variables of the quantifiers around a place.
type scope struct {
	words  map[string]any
	key    string
	config *conf.Config

	decisions map[string]*vm.Program // by source, already compiled
}

func newLanguage(words map[string]any) *language {
	return &language{words: words, scopes: map[string]*scope{}}
}

func (l *language) outer() *scope { return l.scope("", l.words) }

func (l *language) scope(key string, words map[string]any) *scope {
	if s := l.scopes[key]; s != nil {
		return s
	}
	c := conf.New(words)
	c.MaxNodes = maxNodes
	// Rules must give the same answer at any time, from bounded memory.
	for _, name := range []string{"now", "repeat"} {
		delete(c.Builtins, name)
	}
	s := &scope{words: words, key: key, config: c, decisions: map[string]*vm.Program{}}
	l.scopes[key] = s
	return s
}

// with gives a scope that has one more variable.
func (l *language) with(s *scope, name string, t reflect.Type) *scope {
	key := s.key + " " + name + ":" + t.String()
	if known := l.scopes[key]; known != nil {
		return known
	}
	words := maps.Clone(s.words)
	words[name] = reflect.Zero(t).Interface()
	return l.scope(key, words)
}

// value compiles an expression of any type; its type comes with it.
func (l *language) value(src string, s *scope) (*vm.Program, reflect.Type, error) {
	tree, err := checker.ParseCheck(src, s.config)
	if err != nil {
		return nil, nil, fmt.Errorf("%q: %w", src, err)
	}
	program, err := compiler.Compile(tree, s.config)
	if err != nil {
		return nil, nil, fmt.Errorf("%q: %w", src, err)
	}
	return program, tree.Node.Type(), nil
}

// later compiles what was put off. Unlike the rest it may be called by many.
func (l *language) later(src string, s *scope) (*vm.Program, error) {
	l.late.Lock()
	defer l.late.Unlock()
	return l.decision(src, s)
}

// decision compiles a boolean expression. Many rules ask the same.
func (l *language) decision(src string, s *scope) (*vm.Program, error) {
	if program := s.decisions[src]; program != nil {
		return program, nil
	}
	program, t, err := l.value(src, s)
	if err == nil && t.Kind() != reflect.Bool && t.Kind() != reflect.Interface {
		err = fmt.Errorf("%q: a yes or no is wanted, this is %s", src, t)
	}
	if err == nil {
		s.decisions[src] = program
	}
	return program, err
}
