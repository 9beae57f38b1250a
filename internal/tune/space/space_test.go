package space_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/tune/space"
)

func attrs(pairs ...string) map[string]*model.Attr {
	out := map[string]*model.Attr{}
	for p := range slices.Chunk(pairs, 2) {
		out[p[0]] = &model.Attr{Name: p[0], Running: &p[1], NextBoot: &p[1]}
	}
	return out
}

// fleet is a sender and a receiver on one hypervisor switch.
func fleet() (*model.Fleet, *model.Path) {
	host := func(name, recv, offload string) *model.Host {
		return &model.Host{Name: name, Platform: model.AIX, Elements: map[string]*model.Element{
			"en0": {Name: "en0", Kind: model.Interface, On: "ent0",
				Attrs: attrs("mtu_bypass", "off", "tcp_sendspace", "262144", "tcp_recvspace", recv, "rfc1323", "1", "mtu", "1500")},
			"ent0": {Name: "ent0", Kind: model.Virtual,
				Attrs: attrs("chksum_offload", offload, "min_buf_small", "512", "max_buf_small", "2048")},
		}, Tunables: attrs("sb_max", "1048576", "tcp_nodelayack", "0")}
	}
	p := &model.Path{From: model.Ref{Host: "a", Element: "en0"}, To: model.Ref{Host: "b", Element: "en0"}}
	for _, at := range []struct{ host, element string }{{"a", "en0"}, {"a", "ent0"}, {"b", "ent0"}, {"b", "en0"}} {
		kind := model.Interface
		if at.element == "ent0" {
			kind = model.Virtual
		}
		p.Hops = append(p.Hops, model.Hop{Ref: &model.Ref{Host: at.host, Element: at.element}, Kind: string(kind)})
	}
	return &model.Fleet{Hosts: []*model.Host{host("a", "262144", "no"), host("b", "16384", "yes")}}, p
}

func anything([]plan.DesiredSetting) (*plan.Plan, error) { return &plan.Plan{}, nil }

func names(s *space.Space) (out []string) {
	for _, f := range s.Factors {
		out = append(out, f.Name)
	}
	return out
}

func TestOfCatalogue(t *testing.T) {
	f, p := fleet()
	for _, tt := range []struct {
		goal string
		most knowledge.Class
		want []string
	}{
		// The sender alone has largesend for throughput; its checksum offload costs a bounce.
		{"throughput", knowledge.O1, []string{"a:en0 mtu_bypass", "window"}},
		{"latency", knowledge.O1, []string{"a:en0 mtu_bypass", "window", "nodelayack"}},
		{"latency-p50", knowledge.O1, []string{"a:en0 mtu_bypass", "window", "nodelayack"}},
		{"throughput", knowledge.O2, []string{"jumbo frames", "a:en0 mtu_bypass", "window", "a:ent0 chksum_offload"}},
	} {
		s, err := space.Of(f, p, tt.goal, tt.most, anything)
		if err != nil || !slices.Equal(names(s), tt.want) {
			t.Errorf("%s up to %s: got %v, %v, want %v", tt.goal, tt.most, names(s), err, tt.want)
		}
	}
	s, _ := space.Of(f, p, "throughput", knowledge.O1, anything)
	window := s.Factors[1]
	if len(window.Levels) != 3 || window.Levels[0].Label != "as found" || window.Levels[1].Label != "262144" || len(window.Levels[1].Set) != 1 ||
		window.Levels[1].Set[0].Host != "b" || len(window.Levels[2].Set) != 2 {
		t.Errorf("window: got %+v, want 262144, which the sender has, and 524288 at both ends", window.Levels)
	}
	if why := s.Left[slices.IndexFunc(s.Left, func(l space.Left) bool { return l.What == "jumbo frames" })].Why; !strings.Contains(why, "class O2") {
		t.Errorf("jumbo frames are left out because %q, want its class", why)
	}
}

func TestUntriable(t *testing.T) {
	f, p := fleet()
	no := func(want []plan.DesiredSetting) (*plan.Plan, error) {
		out := &plan.Plan{}
		for _, w := range want {
			if w.Attr == "mtu_bypass" {
				out.Refused = append(out.Refused, plan.Refusal{Setting: w.Setting, Reason: "the host allows off"})
			}
		}
		return out, nil
	}
	s, err := space.Of(f, p, "throughput", knowledge.O1, no)
	if err != nil || !slices.Equal(names(s), []string{"window"}) {
		t.Errorf("factors: got %v, %v, want window alone", names(s), err)
	}
	if !slices.Contains(s.Left, space.Left{What: "a:en0 mtu_bypass=on", Why: "the host allows off"}) {
		t.Errorf("left out: got %v, want mtu_bypass with the plan's reason", s.Left)
	}
	for want, p := range map[string]*plan.Plan{
		"reboot of vios1": {Steps: []plan.Step{{Task: task.Task{Host: "vios1", Pending: true}}}},
		"work elsewhere":  {Steps: []plan.Step{{Manual: &plan.ManualStep{What: "set the ports"}}}},
	} {
		if got := space.Untriable(p); !strings.Contains(got, want) {
			t.Errorf("untriable: got %q, want %q in it", got, want)
		}
	}
}

func TestAllowed(t *testing.T) {
	f, p := fleet()
	s, err := space.Parse("own.yaml", []byte(`factors:
- {host: a, element: en0, attribute: mtu_bypass, values: [on]}
- {host: a, element: ent0, attribute: chksum_offload, values: [yes]}
- {host: b, element: en0, attribute: tcp_recvspace, values: [65536, 600000]}
- {host: b, element: en0, attribute: rfc1323, values: [0]}
- {host: b, element: ent0, attribute: min_buf_small, values: [4096]}
- {host: b, element: ent0, attribute: max_buf_small, values: [4096]}
- {host: b, element: ent0, attribute: chksum_offload, values: [no]}
`), f, p, knowledge.O3, anything)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		run  space.Run
		want string
	}{
		{space.Run{0, 0, 0, 0, 0, 0, 0}, ""},
		{space.Run{1, 0, 0, 0, 0, 0, 0}, "largesend needs checksum offload: a:en0 mtu_bypass=on and a:ent0 chksum_offload=no"},
		{space.Run{1, 1, 0, 0, 0, 0, 0}, ""},
		{space.Run{0, 0, 1, 0, 0, 0, 0}, ""},
		{space.Run{0, 0, 1, 1, 0, 0, 0}, "a window above 65535 bytes needs rfc1323"},
		{space.Run{0, 0, 0, 1, 0, 0, 0}, "b:en0 tcp_sendspace=262144 and b:en0 rfc1323=0"}, // as found, and large
		{space.Run{0, 0, 2, 0, 0, 0, 0}, "sb_max must be twice the window: b:en0 tcp_recvspace=600000 and b:no sb_max=1048576"},
		{space.Run{0, 0, 0, 0, 1, 0, 0}, "the minimum of buffers must not exceed their maximum"},
		{space.Run{0, 0, 0, 0, 1, 1, 0}, ""},
		{space.Run{0, 0, 0, 0, 0, 0, 1}, ""}, // largesend is off there
	} {
		err := s.Allowed(f, tt.run)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", s.Words(tt.run), err, tt.want)
		}
	}
}

func TestRefine(t *testing.T) {
	f, p := fleet()
	s, err := space.Of(f, p, "throughput", knowledge.O1, anything)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Nearby(1, 1); !slices.Equal(got, []int64{131072, 524288}) {
		t.Errorf("near 262144: got %v, want half and double", got)
	}
	if got := s.Nearby(0, 1); got != nil {
		t.Errorf("near on: got %v, want nothing", got)
	}
	more, level := s.With(1, 131072)
	if set := more.Factors[1].Levels[level].Set; level != 3 || len(set) != 2 || set[0].Value != "131072" || set[1].Value != "131072" {
		t.Errorf("131072: got level %d, %+v, want a fourth that sets both ends", level, more.Factors[1].Levels)
	}
	if len(s.Factors[1].Levels) != 3 {
		t.Errorf("the space before it: got %d levels, want 3 as before", len(s.Factors[1].Levels))
	}
	if again, same := more.With(1, 524288); same != 2 || len(again.Factors[1].Levels) != 4 {
		t.Errorf("524288, which is there: got level %d of %d", same, len(again.Factors[1].Levels))
	}
}

func TestWordsAndValues(t *testing.T) {
	f, p := fleet()
	s, _ := space.Of(f, p, "throughput", knowledge.O1, anything)
	run := space.Run{1, 2}
	if got := s.Words(run); got != "a:en0 mtu_bypass=on, window=524288" {
		t.Errorf("words: got %q", got)
	}
	if got := s.Words(s.Present()); got != "as found" {
		t.Errorf("words of the present: got %q", got)
	}
	if got, err := s.Parse(s.Values(run)); err != nil || !slices.Equal(got, run) {
		t.Errorf("there and back: got %v, %v, want %v", got, err, run)
	}
	for _, bad := range []map[string]string{{"windows": "1"}, {"window": "7"}} {
		if _, err := s.Parse(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestCommon(t *testing.T) {
	for _, c := range []struct{ a, b, want space.Run }{
		{space.Run{1, 0, 2}, space.Run{1, 1, 2}, space.Run{1, 0, 2}},
		{space.Run{1, 0, 2}, space.Run{1, 0, 1}, space.Run{1, 0, 0}},
		{space.Run{1, 0, 0}, space.Run{0, 1, 0}, space.Run{0, 0, 0}},
	} {
		if got := c.a.Common(c.b); !slices.Equal(got, c.want) {
			t.Errorf("%v and %v: got %v in common, want %v", c.a, c.b, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("factors:\n- {host: a, element: en0, attribute: mtu_bypass, values: [on]}\n")
	f.Add("factors:\n- {name: w, together: [{host: b, element: en0, attribute: tcp_recvspace, values: [1, 65536]}]}\n")
	fleet, path := fleet()
	f.Fuzz(func(t *testing.T, text string) {
		s, err := space.Parse("own.yaml", []byte(text), fleet, path, knowledge.O5, anything)
		if err != nil {
			return
		}
		for i, factor := range s.Factors {
			if len(factor.Levels) < 2 {
				t.Errorf("%s: %d levels", factor.Name, len(factor.Levels))
			}
			for level := range factor.Levels {
				run := s.Present()
				run[i] = level
				_ = s.Allowed(fleet, run)
				for _, v := range s.Nearby(i, level) {
					s.With(i, v)
				}
			}
		}
	})
}

// The two settings of one mechanism are varied together, at both ends.
func TestTogether(t *testing.T) {
	f, p := &model.Fleet{}, &model.Path{From: model.Ref{Host: "a", Element: "eth0"}, To: model.Ref{Host: "b", Element: "eth0"}}
	for _, end := range []struct{ host, timer, polls string }{{"a", "0", "0"}, {"b", "400000", "20"}} {
		f.Hosts = append(f.Hosts, &model.Host{Name: end.host, Platform: model.Linux, Elements: map[string]*model.Element{
			"eth0": {Name: "eth0", Kind: model.Physical, Attrs: attrs("gro_flush_timeout", end.timer, "napi_defer_hard_irqs", end.polls)}}})
		p.Hops = append(p.Hops, model.Hop{Ref: &model.Ref{Host: end.host, Element: "eth0"}, Kind: string(model.Physical)})
	}
	s, err := space.Of(f, p, "latency", knowledge.O1, anything)
	if err != nil || !slices.Equal(names(s), []string{"software interrupt coalescing"}) {
		t.Fatalf("got %v, %v", names(s), err)
	}
	for i, want := range []string{"as found", "0: b 0, b 0", "20000/10: a 20000, a 10, b 20000, b 10", "200000/10: a 200000, a 10, b 200000, b 10"} {
		var set []string
		for _, x := range s.Factors[0].Levels[i].Set {
			set = append(set, x.Host+" "+x.Value)
		}
		if got := strings.TrimSuffix(s.Factors[0].Levels[i].Label+": "+strings.Join(set, ", "), ": "); got != want {
			t.Errorf("level %d: got %q, want %q", i, got, want)
		}
	}
	own := "factors: [{host: a, element: eth0, attribute: napi_defer_hard_irqs, values: [10]}]"
	if s, err = space.Parse("own.yaml", []byte(own), f, p, knowledge.O1, anything); err != nil {
		t.Fatal(err)
	}
	if err := s.Allowed(f, space.Run{1}); err == nil || !strings.Contains(err.Error(), "nothing is deferred") {
		t.Errorf("deferred without a timer: got %v", err)
	}
}

// Levels that set several values are told apart by their names, since trials are counted by these.
func TestLevelsOfOneName(t *testing.T) {
	f, p := fleet()
	s, err := space.Parse("own.yaml", []byte(`factors:
  - name: window
    together:
      - {host: a, element: en0, attribute: tcp_sendspace, values: [131072, 524288, 1000000000, 1100000000]}
      - {host: b, element: en0, attribute: tcp_recvspace, values: [65536, 1048576, 2000000000, 2100000000]}
`), f, p, knowledge.O5, anything)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"as found", "window=131072/65536", "window=524288/1048576", "window=recommended", "window=recommended 4"} {
		if got := s.Words(space.Run{i}); got != want {
			t.Errorf("level %d: got %q, want %q", i, got, want)
		}
	}
}
