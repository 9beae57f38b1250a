package plan

import (
	"encoding/json"
	"testing"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// What is taken is what is written again: a file has one meaning.
func FuzzParse(f *testing.F) {
	p := &Plan{Schema: Schema, Hosts: []string{"lpar1"}, Steps: []Step{}}
	p.Proofs = []Proof{{Host: "lpar1", Element: "en0", Login: task.Login{Platform: model.AIX}}}
	p.Proofs[0].Command = p.Proofs[0].ping().String()
	id, err := p.digest()
	if err != nil {
		f.Fatal(err)
	}
	p.ID = id
	text, err := json.Marshal(p)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := Parse("plan.json", text); err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"schema":"seaworthy.plan/2","steps":[{"do":["id"],"DO":["id"]}]}`))
	f.Add([]byte(`{"next":{"next":{"next":null}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse("plan.json", text)
		if err != nil {
			return
		}
		again, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if q, err := Parse("plan.json", again); err != nil || q.ID != p.ID {
			t.Errorf("read again: %v", err)
		}
	})
}
