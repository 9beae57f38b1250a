package measure

import (
	"testing"

	"seaworthy/internal/measure/probe/meter"
)

func TestShare(t *testing.T) {
	host := func(scope string, cores float64, own ...float64) HostCPU {
		c := HostCPU{Usage: meter.Usage{Scope: scope, Cores: cores}}
		for _, n := range own {
			c.Own = &meter.Own{Cores: n}
		}
		return c
	}
	path := 1.5
	for _, tt := range []struct {
		name  string
		cpu   map[string]HostCPU
		want  map[string]float64
		other float64 // < 0: not known
	}{
		{"a kernel each, whatever their control groups say", map[string]HostCPU{"a": host("boot:1", 0.5, 0.4), "b": host("lpar:2", 1)},
			map[string]float64{"a": 0.5, "b": 1}, -1},
		{"one kernel, own accounts", map[string]HostCPU{"a": host("boot:1", 1.5, 0.5), "b": host("boot:1", 1.5, 0.75)},
			map[string]float64{"a": 0.5, "b": 0.75}, 0.25},
		{"one kernel, and one host cannot know", map[string]HostCPU{"a": host("boot:1", 1.5, 0.5), "b": host("boot:1", 1.5)},
			map[string]float64{"a": 0.5}, -1},
		{"two of three share", map[string]HostCPU{"a": host("boot:1", 1, 0.25), "b": host("boot:1", 1, 0.5), "c": host("boot:2", 0.5)},
			map[string]float64{"a": 0.25, "b": 0.5, "c": 0.5}, 0.25},
		{"own accounts that add up to more than the kernel's", map[string]HostCPU{"a": host("boot:1", 1.5, 1), "b": host("boot:1", 1.5, 0.6)},
			map[string]float64{"a": 1, "b": 0.6}, 0},
		{"hosts without a scope share none", map[string]HostCPU{"a": host("", 0.5), "b": host("", 1)},
			map[string]float64{"a": 0.5, "b": 1}, -1},
	} {
		tr := &Trial{CPU: tt.cpu, Cores: &path}
		tr.share()
		for name, c := range tr.CPU {
			got := c.Alone()
			want, known := tt.want[name]
			if (got != nil) != known || known && *got != want {
				t.Errorf("%s: %s: got %v; want %g, %v", tt.name, name, got, want, known)
			}
		}
		if (tr.Other != nil) != (tt.other >= 0) || tr.Other != nil && *tr.Other != tt.other {
			t.Errorf("%s: got %v other, want %g", tt.name, tr.Other, tt.other)
		}
	}
}
