package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// A plan file can be made by anybody: what its steps change decides what runs.
func TestForgedPlans(t *testing.T) {
	edit := func(f func(p *plan.Plan)) func(*testing.T, *plan.Plan) string {
		return func(t *testing.T, p *plan.Plan) string {
			f(p)
			return resign(t, p)
		}
	}
	replace := func(old, new string) func(*testing.T, *plan.Plan) string {
		return func(t *testing.T, p *plan.Plan) string {
			text := resign(t, p)
			if !strings.Contains(text, old) {
				t.Fatalf("the plan has no %s", old)
			}
			return strings.Replace(text, old, new, 1)
		}
	}
	for _, c := range []struct {
		name  string
		forge func(*testing.T, *plan.Plan) string
		want  string
	}{
		{"as it was made", edit(func(*plan.Plan) {}), ""},
		{"another command", edit(func(p *plan.Plan) { p.Steps[0].Do = []string{"touch /tmp/OWNED"} }), `step vios1:ent5:largesend: "do" is`},
		{"one more command", edit(func(p *plan.Plan) { p.Steps[0].Do = append(p.Steps[0].Do, "id") }), `"do" is`},
		{"another undo", edit(func(p *plan.Plan) { p.Steps[0].Undo[0] += "; id" }), `"undo" is`},
		{"commands after a failure", edit(func(p *plan.Plan) { p.Steps[0].Ensure = []string{"id"} }), `"ensure" is`},
		{"another check", edit(func(p *plan.Plan) { p.Steps[0].Verify[0].Command = "id" }), `"verify" is`},
		{"a check of nothing", edit(func(p *plan.Plan) { p.Steps[0].Verify = []task.Check{} }), `"verify" is`},
		{"another check before", edit(func(p *plan.Plan) { p.Steps[0].Before[0].Command = "id" }), `"before" is`},
		{"a name that is a command", edit(func(p *plan.Plan) {
			p.Steps[0].Changes[0].Attr = "x;id"
			_ = p.Steps[0].Write()
		}), "not a name of an element and an attribute"},
		{"another platform", edit(func(p *plan.Plan) { p.Steps[0].Platform = "BeOS" }), "none that commands are known for"},
		{"another user", edit(func(p *plan.Plan) { p.Steps[0].User = "root" }), `"before" is`},
		{"a host that is not listed", edit(func(p *plan.Plan) { p.Steps[0].Host = "other" }), `its host "other" is not in the list`},
		{"one step twice", edit(func(p *plan.Plan) { p.Steps[1] = p.Steps[0] }), "is in it twice"},
		{"a command by hand", edit(func(p *plan.Plan) {
			p.Steps[0] = plan.Step{Task: task.Task{ID: "x", Kind: task.Manual, Changes: []task.Change{},
				Program: task.Program{Before: []task.Check{}, Verify: []task.Check{}, Undo: []string{}, Do: []string{"id"}}},
				Manual: &plan.ManualStep{Ports: []plan.Port{}}}
		}), `"do" is`},
		{"a proof that is none", edit(func(p *plan.Plan) {
			p.Proofs = []plan.Proof{{Host: "lpar1", Login: task.Login{Platform: model.AIX}, Command: "id"}}
		}), `the proof of lpar1: sends "id"`},
		{"a proof of ports that is none", edit(func(p *plan.Plan) {
			p.Steps[0] = plan.Step{Task: task.Task{ID: "x", Kind: task.Manual, Changes: []task.Change{}},
				Manual: &plan.ManualStep{Ports: []plan.Port{}, Proofs: []plan.PortProof{{Proof: plan.Proof{Host: "lpar1", Command: "id"}}}}}
			_ = p.Steps[0].Write()
		}), `sends "id"`},
		{"after the reboot", edit(func(p *plan.Plan) {
			next := *p
			next.Steps = append([]plan.Step{}, p.Steps...)
			next.Steps[0].Do = []string{"id"}
			p.Next = &next
			p.Next.ID = digest(t, p.Next)
		}), `"do" is`},
		{"not signed again", func(t *testing.T, p *plan.Plan) string {
			return strings.Replace(resign(t, p), "mtu_bypass=on", "mtu_bypass=off", 1)
		}, "it was edited after it was made"},
		{"the same short id", func(t *testing.T, p *plan.Plan) string {
			id := string(p.ID)
			p.Steps[0].Notes = append(p.Steps[0].Notes, "another plan")
			p.ID = plan.ID(id[:12] + strings.Repeat("0", len(id)-12))
			text, _ := json.Marshal(p)
			return string(text)
		}, "it was edited after it was made"},
		{"an unknown key", replace(`"schema"`, `"more": 1, "schema"`), `unknown key "more"`},
		{"a repeated key", replace(`"hosts"`, `"schema": "seaworthy.plan/2", "hosts"`), `key "schema" is given twice`},
		{"a key in another case", replace(`"do"`, `"DO"`), `unknown key "DO": expected "do"`},
		{"two of them", replace(`"do"`, `"DO": ["id"], "do"`), `unknown key "DO": expected "do"`},
		{"more after the end", func(t *testing.T, p *plan.Plan) string { return resign(t, p) + "{}" }, "not a plan"},
		{"an older schema", replace("seaworthy.plan/2", "seaworthy.plan/1"), "make a new plan"},
	} {
		l, v := pair(t)
		p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
		got, err := plan.Parse("plan.json", []byte(c.forge(t, p)))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: got %v, want it taken", c.name, err)
		case c.want == "" && got.ID != p.ID:
			t.Errorf("%s: got the plan %s, want %s", c.name, got.ID, p.ID)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestPlanCheck(t *testing.T) {
	l, v := pair(t)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on")
	if err := p.Check(); err != nil {
		t.Errorf("a plan as it was made: got %v, want none", err)
	}
	p.Steps[0].Do[0] += "; reboot"
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "edited") {
		t.Errorf("a plan with another command: got %v, want it refused as edited", err)
	}
	p.Schema = "other/1"
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "other/1") {
		t.Errorf("a file of another schema: got %v, want its schema named", err)
	}
}

// A plan that somebody edited is read as it stands for a lab, and says what was edited; what contradicts itself is not.
func TestParseEdited(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(p *plan.Plan)
		want string // of the edits
		err  string
	}{
		"as it was made":  {func(*plan.Plan) {}, "", ""},
		"another order":   {func(p *plan.Plan) { p.Steps[0], p.Steps[1] = p.Steps[1], p.Steps[0] }, "their order", ""},
		"another command": {func(p *plan.Plan) { p.Steps[0].Do[0] += "; errclear 0" }, "step vios1:ent5:largesend", ""},
		"this machine":    {func(p *plan.Plan) { p.Hosts[0] = "localhost" }, "", "localhost"},
		"a step twice":    {func(p *plan.Plan) { p.Steps[1] = p.Steps[0] }, "", "in it twice"},
		"another schema":  {func(p *plan.Plan) { p.Schema = "seaworthy.plan/1" }, "", "not a plan of this version"},
	} {
		t.Run(name, func(t *testing.T) {
			l, v := pair(t)
			p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
			was := p.ID
			c.edit(p)
			text, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			got, edits, err := plan.ParseEdited("plan.json", text)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			said := strings.Join(edits, "\n")
			if (len(edits) > 0) != (c.want != "") || !strings.Contains(said, c.want) {
				t.Errorf("edits %q, want %q", edits, c.want)
			}
			if (got.ID != was) != (c.want != "") || got.Steps[0].ID != p.Steps[0].ID {
				t.Errorf("plan %s with first step %s, made as %s", got.ID, got.Steps[0].ID, was)
			}
		})
	}
}

func FuzzParseEdited(f *testing.F) {
	f.Add([]byte(`{"schema": "seaworthy.plan/2", "steps": [{"id": "a", "host": "h", "do": ["true"]}], "hosts": ["h"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, _, err := plan.ParseEdited("plan.json", text)
		if (p == nil) == (err == nil) {
			t.Errorf("got %v and %v", p, err)
		}
	})
}
