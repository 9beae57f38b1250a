package model

import (
	"encoding/binary"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unique"
)

// Interner keeps one copy of what many hosts have alike: in a fleet most
// attributes have the same values, from the same lines of output, on every
// host. Texts no longer keep the outputs that they were cut out of.
//
// Attributes and lists of interned hosts must not be changed. The zero value is
// ready, and safe for concurrent use.
type Interner struct {
	mu   sync.Mutex
	seen map[string]reflect.Value // lists, attributes and sets of them, by type and all that they hold
}

// Host makes a host use what earlier ones had alike.
func (s *Interner) Host(h *Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]reflect.Value{}
	}
	s.walk(reflect.ValueOf(h).Elem())
}

// walk interns everything in a value that can be set.
func (s *Interner) walk(v reflect.Value) {
	kind := byte(0)
	switch x := v.Addr().Interface().(type) {
	case *time.Time, *netip.Prefix, *netip.Addr:
		return
	case *Counters:
		s.walk(reflect.ValueOf(&x.names).Elem())
		return
	case *[]string:
		kind = 'l'
	case **Attr:
		kind = 'a'
	case *map[string]*Attr:
		kind = 's'
	}
	if kind == 0 || v.IsZero() {
		s.parts(v)
		return
	}
	key := appendKey([]byte{kind}, v)
	have, ok := s.seen[string(key)]
	if !ok {
		s.parts(v)
		have = reflect.ValueOf(v.Interface())
		s.seen[string(key)] = have
	}
	v.Set(have)
}

// parts interns what a value holds, in memory of its own.
func (s *Interner) parts(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(unique.Make(strings.Clone(v.String())).Value())
	case reflect.Struct:
		for i := range v.NumField() {
			s.walk(v.Field(i))
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if !v.IsNil() {
			v.Set(s.own(v))
		}
	}
}

// own is a copy of a pointer, a slice or a map with everything in it interned.
func (s *Interner) own(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(v.Elem())
		s.walk(to.Elem())
		return to
	case reflect.Slice:
		to := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(to, v)
		for i := range to.Len() {
			s.walk(to.Index(i))
		}
		return to
	}
	to := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		key.Set(it.Key())
		value.Set(it.Value())
		s.walk(key)
		s.walk(value)
		to.SetMapIndex(key, value)
	}
	return to
}

// appendKey writes all that a value holds, so that what differs in anything has
// another key.
func appendKey(key []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(binary.AppendUvarint(key, uint64(v.Len())), v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(key, 1)
		}
		return append(key, 0)
	case reflect.Int:
		return binary.AppendVarint(key, v.Int())
	case reflect.Pointer:
		if v.IsNil() {
			return append(key, 0)
		}
		return appendKey(append(key, 1), v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			key = appendKey(key, v.Field(i))
		}
	case reflect.Slice:
		key = binary.AppendUvarint(key, uint64(v.Len()))
		for i := range v.Len() {
			key = appendKey(key, v.Index(i))
		}
	case reflect.Map:
		set := v.Interface().(map[string]*Attr)
		for _, name := range slices.Sorted(maps.Keys(set)) {
			key = appendKey(appendKey(key, reflect.ValueOf(name)), reflect.ValueOf(set[name]))
		}
	}
	return key
}
