package lsmap

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Map]{
	Parse:  Parse,
	Report: func(m *Map) *parse.Report { return &m.Report },
}

var adapters = []Adapter{
	{Name: "ent4", PhysLoc: "U9009.22A.7800000-V1-C4-T1", SEA: "ent6", Backing: "ent0", Status: "Available", BackingLoc: "U78D3.001.WZS0000-P1-C3-T1"},
	{Name: "ent5", PhysLoc: "U9009.22A.7800000-V1-C5-T1", NoSEA: true},
}

const blocks = `SVEA   Physloc
------ --------------------------------------------
ent4   U9009.22A.7800000-V1-C4-T1

SEA                   ent6
Backing device        ent0
Status                Available
Physloc               U78D3.001.WZS0000-P1-C3-T1

SVEA   Physloc
------ --------------------------------------------
ent5   U9009.22A.7800000-V1-C5-T1

SEA                 NO SHARED ETHERNET ADAPTER FOUND

`

const delimited = "ent4:U9009.22A.7800000-V1-C4-T1:ent6:ent0:Available:U78D3.001.WZS0000-P1-C3-T1\n" +
	"ent5:U9009.22A.7800000-V1-C5-T1:NO SHARED ETHERNET ADAPTER FOUND: : : \n"

const mixed = `SVSA            Physloc                                      Client Partition ID
--------------- -------------------------------------------- ------------------
vhost0          U9009.22A.7800000-V1-C20                     0x00000003

VTD                   rootvg_lpar1
Status                Available
LUN                   0x8100000000000000
Backing device        hdisk7
Physloc
Mirrored              false

` + blocks + `Name          Physloc                            ClntID ClntName       ClntOS
------------- ---------------------------------- ------ -------------- -------
vfchost0      U9009.22A.7800000-V1-C30                3 lpar1          AIX

Status:LOGGED_IN
FC name:fcs0                    FC loc code:U78D3.001.WZS0000-P1-C5-T1
Ports logged in:3
Flags:a<LOGGED_IN,STRIP_MERGE>
VFC client name:fcs0            VFC client DRC:U9009.22A.7800000-V3-C30
`

func same(t *testing.T, name string, want, got []Adapter) {
	t.Helper()
	for i := range got {
		got[i].Line = 0
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: adapters differ (-want +got):\n%s", name, d)
	}
}

func TestParse(t *testing.T) {
	older := "ent4|U9009.22A.7800000-V1-C4-T1|ent6|ent0|U78D3.001.WZS0000-P1-C3-T1\n"
	noStatus := adapters[0]
	noStatus.Status = ""
	for name, c := range map[string]struct {
		text string
		want []Adapter
	}{
		"blocks":    {blocks, adapters},
		"fmt":       {delimited, adapters},
		"fmt2":      {strings.NewReplacer(" :", "!", ":", "!").Replace(delimited), adapters},
		"fmt older": {older, []Adapter{noStatus}},
		"collapsed": {strings.Join(strings.Fields(blocks[:0]), " ") + collapse(blocks), adapters},
		"mixed":     {mixed, adapters},
		"no status": {strings.Replace(blocks, "Status                Available\n", "", 1), []Adapter{noStatus, adapters[1]}},
	} {
		m := codec.Read(t, c.text)
		same(t, name, c.want, m.Adapters)
		if len(m.Unknown) > 0 || len(m.Warnings) > 0 {
			t.Errorf("%s: unknown %v, warnings %v", name, m.Unknown, m.Warnings)
		}
	}
	m := codec.Read(t, mixed)
	if len(m.Others) != 2 || m.Others[0].Name != "vhost0" || m.Others[1].Name != "vfchost0" {
		t.Errorf("others: got %+v, want vhost0 and vfchost0", m.Others)
	}
}

func collapse(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

func TestNoAnswerIsNoSEA(t *testing.T) {
	cut := blocks[:strings.Index(blocks, "SEA        ")]
	m := codec.Read(t, cut)
	if len(m.Adapters) != 1 || m.Adapters[0].NoSEA || len(m.Warnings) == 0 {
		t.Errorf("got %+v, warnings %v; want an adapter of unknown SEA and a warning", m.Adapters, m.Warnings)
	}
	failed := strings.Replace(blocks, "SEA                   ent6", "lsmap: 0514-516 Device configuration database lookup error.", 1)
	m = codec.Read(t, failed)
	if a := m.Adapters[0]; a.SEA != "" || a.NoSEA || len(m.Warnings) == 0 {
		t.Errorf("got %+v, warnings %v; want an unknown SEA and a warning", a, m.Warnings)
	}
}

// The real outputs have lsmap only inside the reports of a script.
func TestCorpus(t *testing.T) {
	lines := 0
	for _, file := range codectest.Files(t, "lsseas_report/*.txt") {
		var part strings.Builder
		for l := range strings.Lines(codectest.Text(t, file)) {
			if strings.HasPrefix(l, "vfchost") || strings.HasPrefix(l, "vhost") {
				part.WriteString(l)
			}
		}
		if part.Len() == 0 {
			continue
		}
		m := codec.Read(t, part.String())
		lines += m.Lines
		if len(m.Unknown) > 0 || len(m.Others) != m.Lines || len(m.Adapters) > 0 {
			t.Errorf("%s: %d others and %d adapters from %d lines, not understood: %v", file, len(m.Others), len(m.Adapters), m.Lines, m.Unknown)
		}
		for _, o := range m.Others {
			if len(o.Fields) < 5 || !strings.HasPrefix(o.Fields[0], "U") {
				t.Errorf("%s: got %+v, want a location and four other fields or more", file, o)
			}
		}
	}
	if lines < 700 {
		t.Errorf("got %d lines of lsmap, want those of three reports", lines)
	}
}

func TestDamaged(t *testing.T) {
	codec.Damaged(t, blocks)
	codec.Damaged(t, delimited)
}

func TestFast(t *testing.T) { codec.Fast(t, mixed) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "nothing of the kind\n", "a:b:c\n"} {
		if m, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, m, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, blocks, mixed, delimited)
}
