package growth

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
)

// adapter counts for so many seconds; less than none: it prints no age.
func adapter(age int64, mac string, counters map[string]uint64) *model.Element {
	e := &model.Element{Name: "ent0", MAC: mac, Counters: model.CountersOf(counters)}
	if age >= 0 {
		e.CountedS = &age
	}
	return e
}

func TestGrowth(t *testing.T) {
	type c = map[string]uint64
	const day, mac = 86400, "aa:bb:cc:dd:ee:01"
	tests := []struct {
		name        string
		now, before *model.Element
		between     time.Duration
		want        string // what is said of "drops", or "?" and why not
	}{
		{"no earlier snapshot", adapter(day, mac, c{"drops": 24}), nil, 0, "24 in 1 d (1/h)"},
		{"nor an age", adapter(-1, mac, c{"drops": 24}), nil, 0, "24"},
		{"by the ages", adapter(3*day, mac, c{"drops": 90}), adapter(2*day, mac, c{"drops": 30}), 0, "+60 in 1 d (2.5/h)"},
		{"by the snapshots' times", adapter(-1, mac, c{"drops": 90}), adapter(-1, mac, c{"drops": 30}), time.Minute, "+60 in 1 min (1.0/s)"},
		{"many an hour", adapter(-1, mac, c{"drops": 31}), adapter(-1, mac, c{"drops": 30}), 3 * time.Second, "+1 in 3 s (1200/h)"},
		{"over a time that is not known", adapter(-1, mac, c{"drops": 90}), adapter(-1, mac, c{"drops": 30}), 0, "+60 since the earlier snapshot"},
		{"none", adapter(3*day, mac, c{"drops": 30}), adapter(2*day, mac, c{"drops": 30}), 0, "+0 in 1 d"},
		{"reset: the age fell", adapter(3600, mac, c{"drops": 7}), adapter(day, mac, c{"drops": 90}), day * time.Second, "+7 in 1 h since the counters were reset (7/h)"},
		{"reset, and counted past the old value", adapter(3600, mac, c{"drops": 700}), adapter(60, mac, c{"drops": 90}), day * time.Second, "+700 in 1 h since the counters were reset (700/h)"},
		{"reset: younger than the earlier snapshot, which had no age", adapter(3600, mac, c{"drops": 7}), adapter(-1, mac, c{"drops": 90}), day * time.Second, "+7 in 1 h since the counters were reset (7/h)"},
		{"nothing since a reset", adapter(3600, mac, c{"drops": 0}), adapter(day, mac, c{"drops": 90}), day * time.Second, "+0 in 1 h since the counters were reset"},
		{"a snapshot takes its time", adapter(2*day+70, mac, c{"drops": 90}), adapter(day, mac, c{"drops": 30}), day * time.Second, "+60 in 1 d (2.5/h)"},
		{"fell, no age", adapter(-1, mac, c{"drops": 7}), adapter(-1, mac, c{"drops": 90}), day * time.Second, "? it fell from 90 to 7 between the snapshots: it was reset, or it wrapped"},
		{"did not fall, but its traffic did", adapter(-1, mac, c{"drops": 95, "rx.Packets": 5}), adapter(-1, mac, c{"drops": 90, "rx.Packets": 900}), 0,
			"? its counters were reset between the snapshots (receive Packets fell), by a reboot or by hand: not compared"},
		{"wrapped at 32 bits", adapter(3*day, mac, c{"drops": 10}), adapter(2*day, mac, c{"drops": 1<<32 - 50}), 0, "+60 in 1 d (2.5/h), past its 32-bit end"},
		{"wrapped or reset", adapter(-1, mac, c{"drops": 10}), adapter(-1, mac, c{"drops": 1<<32 - 50}), 0, "? it fell from 4294967246 to 10 between the snapshots: it was reset, or it wrapped"},
		{"fell from far below the end", adapter(3*day, mac, c{"drops": 10}), adapter(2*day, mac, c{"drops": 1000}), 0, "? it fell from 1000 to 10 between the snapshots: it was reset, or it wrapped"},
		{"fell from beyond 32 bits", adapter(3*day, mac, c{"drops": 10}), adapter(2*day, mac, c{"drops": 1 << 40}), 0, "? it fell from 1099511627776 to 10 between the snapshots: it was reset, or it wrapped"},
		{"not there before", adapter(3*day, mac, c{"drops": 10}), adapter(2*day, mac, c{"other": 1}), 0, "? the earlier snapshot does not have it"},
		{"another adapter", adapter(3*day, "aa:bb:cc:dd:ee:02", c{"drops": 90}), adapter(2*day, mac, c{"drops": 30}), 0,
			"? another adapter has this name now (aa:bb:cc:dd:ee:01 became aa:bb:cc:dd:ee:02)"},
		{"an age out of all reason is none", adapter(1<<60, mac, c{"drops": 90}), adapter(-1, mac, c{"drops": 30}), time.Minute, "+60 in 1 min (1.0/s)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := spanOf(tt.now, tt.before, tt.between)
			drops, _ := tt.now.Counters.Get("drops")
			n, wrapped, gap := s.Gained("drops", drops)
			got := "? " + gap
			if gap == "" {
				got = s.Text(n, wrapped)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Whatever two snapshots say, growth is never more than what was counted, but
// for a wrap, and a rate never negative.
func FuzzGrowth(f *testing.F) {
	f.Add(uint64(1), uint64(2), int64(3), int64(4), int64(5))
	f.Add(uint64(1<<32-1), uint64(0), int64(86400), int64(3600), int64(90000))
	f.Add(uint64(0), uint64(1<<63), int64(-1), int64(1<<62), int64(-7))
	f.Fuzz(func(t *testing.T, then, now uint64, age, ageThen, between int64) {
		a := adapter(age, "", map[string]uint64{"drops": now, "rx.Packets": now})
		b := adapter(ageThen, "", map[string]uint64{"drops": then, "rx.Packets": then})
		s := spanOf(a, b, max(0, time.Duration(between)))
		n, wrapped, gap := s.Gained("drops", now)
		switch {
		case gap != "" && n != 0:
			t.Errorf("growth %d although %s", n, gap)
		case wrapped && (now >= then || n > 1<<32):
			t.Errorf("wrapped from %d to %d: growth %d", then, now, n)
		case !wrapped && n > now:
			t.Errorf("from %d to %d: growth %d", then, now, n)
		case s.Seconds < 0 || strings.Contains(s.Text(n, wrapped), "+-") || strings.Contains(s.Text(n, wrapped), "(-"):
			t.Errorf("from %d to %d: %s over %d s", then, now, s.Text(n, wrapped), s.Seconds)
		}
	})
}

func TestIntervals(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	host := func(name, level string, taken time.Time, protocols map[string]uint64, elements ...*model.Element) *model.Host {
		h := &model.Host{Name: name, Level: level, Taken: taken, Protocols: model.CountersOf(protocols), Elements: map[string]*model.Element{}}
		for i, e := range elements {
			h.Elements["ent"+string(rune('0'+i))] = e
		}
		return h
	}
	n := func(v uint64) map[string]uint64 { return map[string]uint64{"drops": v} }
	fleet := func(hosts ...*model.Host) *model.Fleet { return &model.Fleet{Hosts: hosts} }
	day := at.AddDate(0, 0, 1)
	got := Intervals(
		fleet(
			host("calm", "7300-01", day, map[string]uint64{"tcp.packets sent": 9, "Tcp.CurrEstab": 1}, adapter(90000, "", n(5))),
			host("booted", "7300-01", day, map[string]uint64{"tcp.packets sent": 1}, adapter(3600, "", n(5)), adapter(3500, "", n(5))),
			host("reset", "7300-02", day, nil, adapter(3600, "", n(5)), adapter(90000, "", n(5))),
			host("new", "7300-01", day, nil)),
		fleet(
			host("calm", "7300-01", at, map[string]uint64{"tcp.packets sent": 8, "Tcp.CurrEstab": 7}, adapter(3600, "", n(4))),
			host("booted", "7300-01", at, map[string]uint64{"tcp.packets sent": 8}, adapter(3600, "", n(4)), adapter(4000, "", n(4))),
			host("reset", "7300-01", at, nil, adapter(7200, "", n(4)), adapter(3600, "", n(4))),
			host("gone", "7300-01", at, nil)))
	want := []Interval{
		{Host: "calm", From: at, To: day, Seconds: 86400},
		{Host: "booted", From: at, To: day, Seconds: 86400, Notes: []string{
			"the counters of all its adapters were reset: it was probably rebooted; they are judged since then",
			"the counters of its protocols (netstat -s) were reset; their growth is not known"}},
		{Host: "reset", From: at, To: day, Seconds: 86400, Notes: []string{
			"ent0: counters were reset 1 h before the later snapshot, and are judged since then",
			"its oslevel changed from 7300-01 to 7300-02"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("intervals (-want +got):\n%s", diff)
	}
}
