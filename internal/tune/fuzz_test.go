package tune

import (
	"context"
	"strings"
	"testing"

	"seaworthy/internal/tune/space"
)

func FuzzStudy(f *testing.F) {
	f.Add(`{"study":{"schema":"seaworthy.study/1","space":{"factors":[{"name":"a","levels":[{"label":"off"},{"label":"on"}]}]}}}` + "\n" +
		`{"done":{"trial":1,"stage":"calibrate","block":1,"place":1,"of":2,"run":[0],"settings":"as found","seconds":2,"value":1e9}}` + "\n" +
		`{"done":{"trial":2,"stage":"calibrate","block":1,"place":2,"of":2,"run":[0],"settings":"as found","seconds":2,"value":1.1e9}}` + "\n")
	f.Add(`{"study":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse("study.jsonl", []byte(text))
		if err != nil {
			return
		}
		for i, x := range s.past {
			if x.Value == nil && x.Guard+x.Refused == "" {
				t.Errorf("trial %d has no value", i+1)
			}
		}
		_ = s.Fits(&space.Space{Factors: []space.Factor{{Name: "a"}}})
	})
}

func FuzzLines(f *testing.F) {
	f.Add(`{"trial": 1, "settings": {"a": "on"}}` + "\n")
	f.Add(`{"trial": 2, "settings": {"b": "7"}}`)
	s := &space.Space{Factors: []space.Factor{{Name: "a", Levels: []space.Level{{Label: "off"}, {Label: "on"}}}}}
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		l := Lines(strings.NewReader(text), &out, Goals[0], s)
		for range 100 {
			run, err := l.next(context.Background())
			if run == nil || err != nil {
				break
			}
			if run[0] < 0 || run[0] > 1 {
				t.Errorf("proposed: %v", run)
			}
		}
	})
}
