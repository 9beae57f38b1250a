package e2e

import (
	"slices"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/test/await"
	"seaworthy/lab/fault"
)

// Receive buffers run out at a partition that is late: frames are lost and
// counted at both ends, the audit names the adapter, and what it asks for, a
// larger pool that is there from the start, ends it.
func TestBuffersRunOut(t *testing.T) {
	t.Parallel()
	s := start(t, "two-systems", "root")
	if _, ok := s.noResource(); !ok {
		t.Skip("receive buffers need a lab started by root")
	}
	s.run("lpar2", "chdev -l ent0 -a buf_mode=min -a min_buf_small=512 -a max_buf_small=512 -P")
	s.boot("lpar2")
	s.query("break", fault.Fault{Kind: "full-buffers", Target: "lpar2:ent0", Value: "1M"})
	// 820 frames of 1500 bytes at once, and not much more before the queue is
	// empty again: more than 512 buffers hold, fewer than 1024 although some may
	// still wait there from before.
	burst := func() { _ = s.do("lpar1", "ping -f -q -s 60000 -c 20 10.10.10.12") }
	var lost uint64
	// On a busy machine one burst can come in pieces.
	await.Until(t, "820 frames onto 512 buffers: an error", func() bool {
		burst()
		s.look("lpar2", "vios2-root")
		lost, _ = s.noResource()
		return lost > 0
	})
	if failed, ok := s.read["vios2-root"].Elements["ent4"].Counters.Get("Receiver Failures"); !ok || failed != lost {
		t.Errorf("vios2 ent4, which sent them: got %d receiver failures, want %d", failed, lost)
	}
	short := s.about("R026", "R030")
	if len(short) != 2 {
		t.Fatalf("R026 and R030 at lpar2:ent0: got %v, want both found", named(s.audit()))
	}
	p, err := plan.Build(s.fleet(), s.cat, plan.FromFindings(short))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.runner().Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	s.boot("lpar2")
	burst()
	s.look("lpar2")
	if lost, ok := s.noResource(); !ok || lost != 0 {
		t.Errorf("after %v: got %d frames lost for lack of a buffer, want 0\n%s", p.Steps[0].Do, lost, s.texts["lpar2"]["entstat -d ent0"])
	}
	if left := s.about("R026", "R029", "R030"); len(left) > 0 {
		t.Errorf("after %v: got %v, want lpar2:ent0 cured", p.Steps[0].Do, named(left))
	}
}

// noResource returns what lpar2's entstat -d says it lost for lack of a buffer.
func (s *site) noResource() (uint64, bool) {
	s.t.Helper()
	st, err := entstat.Parse([]byte(s.texts["lpar2"]["entstat -d ent0"]))
	if err != nil {
		s.t.Fatal(err)
	}
	n, ok := st.Adapter("ent0").Counters()["rx.No Resource Errors"]
	return n, ok
}

// about are the findings of rules at lpar2:ent0.
func (s *site) about(rules ...string) []finding.Finding {
	s.t.Helper()
	return slices.DeleteFunc(s.audit(), func(f finding.Finding) bool {
		return f.Verdict != finding.Found || f.Element.String() != "lpar2:ent0" || !slices.Contains(rules, f.Rule)
	})
}

func (s *site) run(host, line string) {
	s.t.Helper()
	if err := s.do(host, line); err != nil {
		s.t.Fatal(err)
	}
}

// boot brings next-boot values into force.
func (s *site) boot(node string) {
	s.t.Helper()
	s.query("break", fault.Fault{Kind: "crash", Target: node})
	s.query("mend", fault.Fault{Kind: "crash", Target: node})
}

func (s *site) query(op string, f fault.Fault) {
	s.t.Helper()
	if err := s.lab.Query(s.t.Context(), op, f, nil); err != nil {
		s.t.Fatal(err)
	}
}
