package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var rulesCodec = codectest.Codec[RuleDiff]{
	Parse:  ParseRulesDiff,
	Report: func(d *RuleDiff) *parse.Report { return &d.Report },
}

const rulesSample = "devParam.adapter.vdevice.IBM,l-lan:max_buf_small device=adapter/vdevice/IBM,l-lan          2048 | 4096\n" +
	"devParam.adapter.pseudo.sea:large_receive device=adapter/pseudo/sea no | yes\n"

func TestParseRules(t *testing.T) {
	d := rulesCodec.Read(t, rulesSample)
	want := []*RuleDifference{
		{Name: "devParam.adapter.vdevice.IBM,l-lan:max_buf_small", Target: "device=adapter/vdevice/IBM,l-lan", Left: "2048", Right: "4096", Line: 1},
		{Name: "devParam.adapter.pseudo.sea:large_receive", Target: "device=adapter/pseudo/sea", Left: "no", Right: "yes", Line: 2},
	}
	if diff := cmp.Diff(want, d.Differences); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}

func TestRulesParseOthers(t *testing.T) {
	for _, c := range []struct {
		name, text                     string
		differences, warnings, unknown int
		refused                        bool
	}{
		{"no difference", "", 0, 0, 0, false},
		{"blank lines only", "\n\n", 0, 0, 0, false},
		{"a row without target", "adapter/vdevice/IBM,l-lan:min_buf_tiny 512 | 2048\n", 1, 0, 0, false},
		{"a heading above", "current system settings | default rules\n" + rulesSample, 2, 0, 1, false},
		{"the command is not there", "rksh: rules:  not found.\n", 0, 1, 0, false},
		{"a sentence", "The current rules file is missing.\n", 0, 0, 0, true},
		{"a pipe in a value", "devParam.x:y a|b | c\n", 0, 0, 0, true},
		{"three values", "devParam.x:y 1 | 2 | 3\n", 0, 0, 0, true},
	} {
		d, err := ParseRulesDiff([]byte(c.text))
		if c.refused {
			if !errors.Is(err, parse.ErrNotRecognised) {
				t.Errorf("%s: got %+v, %v, want %v", c.name, d, err, parse.ErrNotRecognised)
			}
			continue
		}
		if err != nil || len(d.Differences) != c.differences || len(d.Warnings) != c.warnings || len(d.Unknown) != c.unknown {
			t.Errorf("%s: got %+v, %v, want %d differences, %d warnings, %d lines not understood", c.name, d, err, c.differences, c.warnings, c.unknown)
		}
	}
}
