package model

import (
	"fmt"
	"net/netip"
	"reflect"
	"testing"
	"time"
	"unsafe"
)

// Every text of a host, in whatever field, is freed from the output it was cut
// out of: a field that Interner does not name keeps the whole output in memory.
func TestInternerNamesEveryText(t *testing.T) {
	output := fmt.Sprintf("%01000d", 7) // what a host printed, all texts below are parts of it
	h := &Host{}
	cut := &cutter{from: output}
	cut.fill(reflect.ValueOf(h).Elem(), "Host")
	// The names of figures are ours; counters have lists of names.
	h.Figures = map[string]Figure{VirtualSCSI: {From: Origin{Command: cut.text(), Text: cut.text()}}}
	for _, e := range h.Elements {
		e.Counters = CountersOf(map[string]uint64{cut.text(): 1})
	}
	h.Protocols = CountersOf(map[string]uint64{cut.text(): 1})
	if cut.texts < 40 {
		t.Fatalf("the host made has %d texts, want one in each field", cut.texts)
	}
	var s Interner
	s.Host(h)
	held := &holder{begin: uintptr(unsafe.Pointer(unsafe.StringData(output))), t: t}
	held.end = held.begin + uintptr(len(output))
	held.look(reflect.ValueOf(h).Elem(), "Host")
}

// cutter fills every field that can hold a text with a part of one output.
type cutter struct {
	from  string
	at    int
	texts int
}

func (c *cutter) text() string {
	c.at, c.texts = c.at+3, c.texts+1
	return c.from[c.at : c.at+2]
}

func (c *cutter) fill(v reflect.Value, where string) {
	switch v.Type() {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[netip.Prefix](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[Counters]():
		return
	case reflect.TypeFor[Platform](), reflect.TypeFor[Kind]():
		return // constants of this package
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(c.text())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		c.fill(v.Elem(), where)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		c.fill(v.Index(0), where)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		c.fill(key, where)
		c.fill(value, where)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			c.fill(v.Field(i), where+"."+v.Type().Field(i).Name)
		}
	}
}

// holder looks for texts that still are parts of the output.
type holder struct {
	begin, end uintptr
	t          *testing.T
}

func (h *holder) look(v reflect.Value, where string) {
	switch v.Kind() {
	case reflect.String:
		if at := uintptr(unsafe.Pointer(unsafe.StringData(v.String()))); v.Len() > 0 && at >= h.begin && at < h.end {
			h.t.Errorf("%s keeps the whole output it was cut out of: it was not interned", where)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			h.look(v.Elem(), where)
		}
	case reflect.Slice:
		for i := range v.Len() {
			h.look(v.Index(i), where)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			h.look(k, where+"'s keys")
			h.look(v.MapIndex(k), where)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h.look(v.Field(i), where+"."+v.Type().Field(i).Name)
		}
	}
}
