package inventory

import (
	"encoding/binary"
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
	mu    sync.Mutex
	attrs map[string]*Attr // by all that they hold
	sets  map[string]map[string]*Attr
	lists map[string][]string
	ids   map[*Attr]uint64
}

// Host makes a host use what earlier ones had alike.
func (s *Interner) Host(h *Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attrs == nil {
		s.attrs, s.sets, s.lists, s.ids = map[string]*Attr{}, map[string]map[string]*Attr{}, map[string][]string{}, map[*Attr]uint64{}
	}
	s.walk(reflect.ValueOf(h).Elem())
}

func text(t string) string { return unique.Make(strings.Clone(t)).Value() }

// walk interns everything in a value that can be set.
func (s *Interner) walk(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *time.Time, *netip.Prefix, *netip.Addr:
		return
	case *Counters:
		x.names = s.list(x.names)
		return
	case *[]string:
		*x = s.list(*x)
		return
	case *map[string]*Attr:
		*x = s.set(*x)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text(v.String()))
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Elem().Kind() != reflect.Struct { // numbers lie among all those of the output they were read from
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
		}
		s.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			s.walk(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		own := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.Set(it.Key())
			value.Set(it.Value())
			s.walk(key)
			s.walk(value)
			own.SetMapIndex(key, value)
		}
		v.Set(own)
	case reflect.Struct:
		for i := range v.NumField() {
			s.walk(v.Field(i))
		}
	}
}

// list gives the first list like it.
func (s *Interner) list(l []string) []string {
	if len(l) == 0 {
		return nil
	}
	var key []byte
	for _, t := range l {
		key = appendText(key, t)
	}
	have, ok := s.lists[string(key)]
	if !ok {
		have = make([]string, len(l))
		for i, t := range l {
			have[i] = text(t)
		}
		s.lists[string(key)] = have
	}
	return have
}

// set gives the map itself of an earlier host, if it holds the same.
func (s *Interner) set(m map[string]*Attr) map[string]*Attr {
	if m == nil {
		return nil
	}
	own := make(map[string]*Attr, len(m))
	names := make([]string, 0, len(m))
	for name, a := range m {
		own[text(name)] = s.attr(a)
		names = append(names, name)
	}
	slices.Sort(names)
	var key []byte
	for _, name := range names {
		key = binary.AppendUvarint(appendText(key, name), s.ids[own[name]])
	}
	have, ok := s.sets[string(key)]
	if !ok {
		have = own
		s.sets[string(key)] = have
	}
	return have
}

// attr gives an earlier attribute that is the same in all.
func (s *Interner) attr(a *Attr) *Attr {
	if a == nil {
		return nil
	}
	key := appendText(make([]byte, 0, 256), a.Name)
	for _, p := range []*string{a.Running, a.NextBoot, a.Default} {
		if key = append(key, 0); p != nil {
			key[len(key)-1] = 1
			key = appendText(key, *p)
		}
	}
	switch {
	case a.Settable == nil:
		key = append(key, 0)
	case *a.Settable:
		key = append(key, 1)
	default:
		key = append(key, 2)
	}
	key = binary.AppendUvarint(key, uint64(len(a.Allowed)))
	for _, t := range a.Allowed {
		key = appendText(key, t)
	}
	for i := range a.From {
		o := &a.From[i]
		key = binary.AppendUvarint(appendText(appendText(key, o.Command), o.Text), uint64(o.Line))
	}
	have, ok := s.attrs[string(key)]
	if !ok {
		have = a
		a.From = slices.Clip(a.From)
		s.walk(reflect.ValueOf(a).Elem())
		s.attrs[string(key)] = a
		s.ids[a] = uint64(len(s.ids)) + 1
	}
	return have
}

func appendText(key []byte, t string) []byte {
	return append(binary.AppendUvarint(key, uint64(len(t))), t...)
}
