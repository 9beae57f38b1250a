package zone

import (
	"testing"

	"seaworthy/internal/fleet/message"
)

// What hosts share bounds how many of them are read at once; what was taken comes back.
func TestLimits(t *testing.T) {
	vios := func(name, system string) Host {
		return Host{Host: message.Host{Name: name, Platform: "vios", Labels: map[string]string{"system": system}}, Jump: "gate"}
	}
	u := usage{Limits{Hosts: 10, Jump: 3, System: 2, Pair: 1}.complete(), map[share]int{}}
	a1, a2, b1 := vios("a1", "A"), vios("a2", "A"), vios("b1", "B")
	lpar := Host{Host: message.Host{Name: "l", Labels: map[string]string{"system": "A"}}}
	for _, step := range []struct {
		host *Host
		want bool
	}{{&a1, true}, {&a2, false}, {&b1, true}, {&lpar, true}, {&lpar, false}} {
		if got := u.take(step.host.shares()); got != step.want {
			t.Errorf("%s: got %v, want %v", step.host.Name, got, step.want)
		}
	}
	u.give(a1.shares())
	if !u.take(a2.shares()) {
		t.Error("the other VIOS is not read after the first")
	}
	for range 10 {
		if u.take([]share{{"jump", "gate"}}) {
			continue
		}
		break
	}
	if u.used[share{"jump", "gate"}] != 3 {
		t.Errorf("%d through one jump host, want 3", u.used[share{"jump", "gate"}])
	}
	u.give(a2.shares())
	u.give(b1.shares())
	u.give(lpar.shares())
	if n := u.used[share{"system", "A"}]; n != 0 {
		t.Errorf("%d of system A are still counted", n)
	}
}
