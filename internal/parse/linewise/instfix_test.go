package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var fixCodec = codectest.Codec[FixList]{
	Parse:  ParseInstfix,
	Report: func(l *FixList) *parse.Report { return &l.Report },
}

const fixSample = "    All filesets for IV00001 were found.\n    Not all filesets for IV00002 were found.\n    There was no data for IV00003 in the fix database.\n"

func TestParseFix(t *testing.T) {
	l := fixCodec.Read(t, fixSample)
	got := map[string]FixState{}
	for _, f := range l.Fixes {
		got[f.Name] = f.State
	}
	if len(got) != 3 {
		t.Errorf("got %v, want three fixes", got)
	}
	for name, want := range map[string]FixState{"IV00001": FixComplete, "IV00002": FixPartial, "IV00003": FixUnknown} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %s", name, got[name], want)
		}
	}
}

func TestFixParseOthers(t *testing.T) {
	for _, c := range []struct {
		name, text string
		fixes      int
		unknown    int
		refused    bool
	}{
		{"levels among them", "    All filesets for 7200-05_AIX_ML were found.\n\n", 1, 0, false},
		{"not allowed", "ksh: instfix: 0403-006 Execute permission denied.\n", 0, 0, false},
		{"another language", "    Toutes les ensembles de fichiers de IV00001 ont été trouvés.\n", 0, 0, true},
		{"another language among them", fixSample + "    Alle Dateigruppen für IV00009 wurden gefunden.\n", 3, 1, false},
		{"broken by a narrow terminal", "    All filesets for IV00001 were\n found.\n" + fixSample, 3, 2, false},
		{"damaged name", "    All filesets for IV0\xff001 were found.\n" + fixSample, 3, 1, false},
		{"nothing", "\n", 0, 0, true},
		{"other output", "ent0 Available\n", 0, 0, true},
	} {
		l, err := ParseInstfix([]byte(c.text))
		if c.refused {
			if !errors.Is(err, parse.ErrNotRecognised) {
				t.Errorf("%s: got %+v, %v, want %v", c.name, l, err, parse.ErrNotRecognised)
			}
			continue
		}
		if err != nil || len(l.Fixes) != c.fixes || len(l.Unknown) != c.unknown {
			t.Errorf("%s: got %+v, %v, want %d fixes and %d lines not understood", c.name, l, err, c.fixes, c.unknown)
		}
	}
}
