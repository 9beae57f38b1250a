package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var mbufsCodec = codectest.Codec[MbufStatistics]{
	Parse:  ParseMbufs,
	Report: func(s *MbufStatistics) *parse.Report { return &s.Report },
}

const mbufsSample = `
Kernel malloc statistics:

******* CPU 0 *******
By size           inuse     calls failed   delayed    free   hiwat   freed
64                  523   1234567      0        12     245    5240       0
2048               1045  99887766      3       520      11    2620       0

******* CPU 1 *******
By size           inuse     calls failed   delayed    free   hiwat   freed
2048                 10       766      1         0      11    2620       0

By type           inuse     calls failed   delayed  memuse  memmax    mapb
mbuf               1024   7654321      0         0  262144  999999       0

Streams mblk statistic failures:
0 high priority mblk failures
7 low priority mblk failures
`

func TestParseMbufs(t *testing.T) {
	s := mbufsCodec.Read(t, mbufsSample)
	if len(s.Unknown) > 0 || len(s.Tables) != 3 || len(s.Counters) != 2 {
		t.Fatalf("got %d tables, %d counters, unknown %v", len(s.Tables), len(s.Counters), s.Unknown)
	}
	if tab := s.Tables[0]; tab.Key != "By size" || tab.Columns[2] != "failed" || tab.Rows[1].Values[2] != 3 {
		t.Errorf("CPU 0: got %+v", tab)
	}
	if tab := s.Tables[1]; tab.CPU == nil || *tab.CPU != 1 || tab.Rows[0].Values[1] != 766 {
		t.Errorf("CPU 1: got %+v", tab)
	}
	if tab := s.Tables[2]; tab.CPU != nil || tab.Rows[0].Name != "mbuf" || tab.Rows[0].Values[5] != 999999 {
		t.Errorf("by type: got %+v", tab)
	}
	if s.Counters[1].Count != 7 || s.Counters[1].Name != "low priority mblk failures" {
		t.Errorf("counter: got %+v", s.Counters[1])
	}
	for _, text := range []string{"", "netstat: illegal option -- m\n", "12 monkeys\n"} {
		if _, err := ParseMbufs([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}
