package model_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
)

func TestCounters(t *testing.T) {
	var none model.Counters
	if _, ok := none.Get("tx.Packets"); ok || none.Len() != 0 || none.Map() != nil {
		t.Errorf("no counters: got %v", none)
	}
	want := map[string]uint64{"tx.Packets": 7, "rx.Packets": 1<<64 - 1, "Errors": 0}
	c := model.CountersOf(want)
	for name, n := range want {
		if got, ok := c.Get(name); !ok || got != n {
			t.Errorf("%s: got %d, %v, want %d", name, got, ok, n)
		}
	}
	if n, ok := c.Get("tx"); ok {
		t.Errorf("a name that was not printed: got %d, want none", n)
	}
	if d := cmp.Diff(want, c.Map()); d != "" {
		t.Errorf("map (-want +got):\n%s", d)
	}
	if got, want := fmt.Sprint(c), fmt.Sprint(want); got != want {
		t.Errorf("printed: got %s, want %s", got, want)
	}
}

// What one element's counters become is none of another's.
func TestCountersWith(t *testing.T) {
	a := model.CountersOf(map[string]uint64{"b": 1})
	b := a.With(map[string]uint64{"a": 5})
	d := b.With(map[string]uint64{"b": 2, "c": 3})
	for _, x := range []struct {
		got  model.Counters
		want map[string]uint64
	}{
		{a, map[string]uint64{"b": 1}},
		{b, map[string]uint64{"a": 5, "b": 1}},
		{d, map[string]uint64{"a": 5, "b": 2, "c": 3}},
		{a.With(nil), map[string]uint64{"b": 1}},
		{model.Counters{}.With(map[string]uint64{"x": 0}), map[string]uint64{"x": 0}},
	} {
		if diff := cmp.Diff(x.want, x.got.Map()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if a.Equal(b) || !a.Equal(model.CountersOf(map[string]uint64{"b": 1})) {
		t.Errorf("Equal: %v and %v", a, b)
	}
}

// In JSON they are an object, and left out where there are none.
func TestCountersJSON(t *testing.T) {
	for _, c := range []struct {
		element model.Element
		want    string
	}{
		{model.Element{Name: "en0", Kind: model.Interface}, `{"name":"en0","kind":"interface"}`},
		{model.Element{Name: "en0", Kind: model.Interface, Counters: model.CountersOf(map[string]uint64{"Opkts": 2, "Ipkts": 1})},
			`{"name":"en0","kind":"interface","counters":{"Ipkts":1,"Opkts":2}}`},
	} {
		text, err := json.Marshal(c.element)
		if err != nil || string(text) != c.want {
			t.Errorf("got %s %v, want %s", text, err, c.want)
		}
		var back model.Element
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.element, back); d != "" {
			t.Errorf("read back (-want +got):\n%s", d)
		}
	}
	var c model.Counters
	if err := json.Unmarshal([]byte(`{"Ipkts": -1}`), &c); err == nil {
		t.Errorf("a number below zero: got %v, want an error", c)
	}
}
