package model

import (
	"strings"
	"testing"
)

func TestAnotherHostOfTheSameName(t *testing.T) {
	id := func(n int) *int { return &n }
	host := func(system string, number *int, macs ...string) *Host {
		h := &Host{Name: "db", MachineID: system, Partition: Partition{Number: number}, Elements: map[string]*Element{}}
		for i, m := range macs {
			h.Elements["ent"+string(rune('0'+i))] = &Element{MAC: m}
		}
		return h
	}
	for _, c := range []struct {
		name string
		a, b *Host
		want string
	}{
		{"the same", host("M", id(3), "02:00:00:00:00:01"), host("M", id(3), "02:00:00:00:00:01"), ""},
		{"moved to another system", host("M", id(3), "02:00:00:00:00:01"), host("N", id(7), "02:00:00:00:00:01"), ""},
		{"made again in its place", host("M", id(3), "02:00:00:00:00:01"), host("M", id(3), "02:00:00:00:00:02"), ""},
		{"an adapter more", host("M", id(3), "02:00:00:00:00:01"), host("M", id(3), "02:00:00:00:00:01", "02:00:00:00:00:02"), ""},
		{"of another system", host("M", id(3), "02:00:00:00:00:01"), host("N", id(3), "02:00:00:00:00:02"), "managed systems M and N"},
		{"another partition of the system", host("M", id(3), "02:00:00:00:00:01"), host("M", id(4), "02:00:00:00:00:02"), "partitions 3 and 4"},
		{"no addresses read", host("M", id(3)), host("N", id(4), "02:00:00:00:00:02"), ""},
		{"addresses of nothing", host("M", id(3), "00:00:00:00:00:00"), host("N", id(4), "00:00:00:00:00:00"), ""},
		{"neither system nor number read", host("", nil, "02:00:00:00:00:01"), host("N", id(4), "02:00:00:00:00:02"), ""},
	} {
		if got := c.a.Another(c.b); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
