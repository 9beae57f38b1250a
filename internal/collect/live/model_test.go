package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

var start = time.Date(2026, 11, 22, 11, 0, 0, 0, time.UTC)

// reading is lpar1's at a second, with an adapter that counted so many packets
// of 1000 bytes each way in so many seconds.
func reading(second, packets, counted int, whole bool) live.Event {
	text := fmt.Sprintf(`-------------------------------------------------------------
ETHERNET STATISTICS (ent0) :
Device Type: Virtual I/O Ethernet Adapter (l-lan)
Hardware Address: 32:43:01:01:00:00
Elapsed Time: 0 days 0 hours 0 minutes %d seconds

Transmit Statistics:                          Receive Statistics:
--------------------                          -------------------
Packets: %[2]d                                Packets: %[2]d
Bytes: %[2]d000                               Bytes: %[2]d000
Packets Dropped: 0                            Packets Dropped: 0
                                              No Resource Errors: 0

General Statistics:
-------------------
Adapter Data Rate: 20000
`, counted, packets)
	r := &collect.Reading{Host: "lpar1", Platform: model.AIX, At: start.Add(time.Duration(second) * time.Second), Whole: whole,
		Outputs: []assemble.Output{
			{ID: "entstat-d", Element: "ent0", Command: "entstat -d ent0", Text: []byte(text)},
			{ID: "lparstat", Command: "lparstat 1 1", Text: []byte(fmt.Sprintf("System configuration: type=Shared mode=Capped smt=4 lcpu=8 mem=8192MB"+
				"\n\n%%user %%sys %%wait %%idle physc\n----- ---- ----- ----- -----\n 1.0 1.0 0.0 98.0 0.%d\n", second))},
		}}
	return live.Event{Reading: r}
}

func lost(second int, why string) live.Event {
	return live.Event{Lost: &live.Lost{Host: "lpar1", At: start.Add(time.Duration(second) * time.Second), Why: why}}
}

// now returns what a frame says of lpar1 and its adapter.
func now(f *live.Frame) string {
	h := f.Systems[0].Hosts[0]
	out := h.State
	if len(h.Elements) > 0 {
		e := h.Elements[0]
		out += fmt.Sprintf(" in %v peak %v", show(e.Rates), show(e.Peaks))
		if e.Reset {
			out += " reset"
		}
	}
	if h.Cores != nil {
		out += fmt.Sprintf(" cores %.1f of %.1f", *h.Cores, *h.PeakCores)
	}
	return out
}

func show(r live.Rates) string {
	if v, ok := r[live.InPackets]; ok {
		return fmt.Sprint(v)
	}
	return "?"
}

func TestModel(t *testing.T) {
	m := live.NewModel("lpar1")
	for i, step := range []struct {
		event live.Event
		want  string
	}{
		{lost(0, "unreachable"), "away"},
		{reading(1, 50, 100, true), "up in ? peak ?"},
		{reading(2, 100, 102, false), "up in ? peak ? cores 0.2 of 0.2"}, // one reading is not a rate
		{reading(4, 300, 104, false), "up in 100 peak 100 cores 0.4 of 0.4"},
		{reading(8, 500, 108, false), "up in 50 peak 100 cores 0.8 of 0.8"},     // over the time that really passed
		{reading(9, 10, 109, false), "up in ? peak 100 reset cores 0.9 of 0.9"}, // never negative
		{reading(9, 20, 110, false), "up in ? peak 100 cores 0.9 of 0.9"},       // no time passed
		{reading(11, 900, 1, false), "up in ? peak 100 reset cores 0.1 of 0.9"}, // higher, but counted again
		{lost(12, "connection lost"), "away in ? peak 100"},
		{reading(20, 9000, 9, true), "up in ? peak 100"},
		{reading(21, 9100, 10, false), "up in ? peak 100 cores 0.2 of 0.9"}, // what happened meanwhile is not a rate
		{reading(22, 9250, 11, false), "up in 150 peak 150 cores 0.2 of 0.9"},
	} {
		m.Add(step.event)
		got := now(m.Frame())
		if got != step.want {
			t.Errorf("step %d: got %q, want %q", i, got, step.want)
		}
	}
}

// A host that stays away was lost when it was lost first.
func TestAwaySince(t *testing.T) {
	m := live.NewModel("lpar1")
	m.Add(lost(3, "unreachable"))
	m.Add(lost(9, "unreachable"))
	h := m.Frame().Systems[0].Hosts[0]
	if h.State != live.Away || !h.Since.Equal(start.Add(3*time.Second)) || h.Why != "unreachable" {
		t.Errorf("got %+v", h)
	}
}

// A frame that is shown does not change with the next reading.
func TestFrameStays(t *testing.T) {
	m := live.NewModel("lpar1")
	for i := range 4 {
		m.Add(reading(1+i, 100*i, 100+i, i == 0))
	}
	f := m.Frame()
	before := now(f)
	m.Add(reading(5, 9000, 105, false))
	if after := now(f); after != before {
		t.Errorf("was %q, now %q", before, after)
	}
}

func TestRecording(t *testing.T) {
	events := []live.Event{reading(1, 50, 100, true), reading(2, 100, 102, false), lost(4, "connection lost"), reading(6, 1, 1, true)}
	events[1].Reading.Outputs[0].Text = append(events[1].Reading.Outputs[0].Text, "\xff\n"...)
	var file bytes.Buffer
	rec, err := live.NewRecorder(&file, start, live.Every, []string{"lpar1"})
	for _, e := range events {
		err = errors.Join(err, rec.Add(e))
	}
	if err != nil {
		t.Fatal(err)
	}
	whole := file.String()
	for name, text := range map[string]string{"whole": whole, "cut in the middle of a line": whole + whole[strings.Index(whole, "\n")+1:][:100]} {
		r, err := live.Open(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range events {
			got, err := r.Next()
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(assemble.Output{})); err != nil || diff != "" {
				t.Errorf("%s: %v, event (-want +got):\n%s", name, err, diff)
			}
		}
		if e, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after the last event: %+v, %v", name, e, err)
		}
	}
	frames, err := live.Frames(t.Context(), must(live.Open(strings.NewReader(whole))))
	if err != nil || len(frames) != 4 || now(frames[2]) != "away in ? peak ?" {
		t.Errorf("%d frames, %v", len(frames), err)
	}
	lines := strings.SplitAfter(whole, "\n")
	if _, err := live.Frames(t.Context(), must(live.Open(strings.NewReader(lines[0]+"{}\n"+lines[1])))); err == nil {
		t.Error("a line in the middle that is no event passes")
	}
	for _, text := range []string{"", "hello\n", "{}\n", `{"schema":"seaworthy.top-recording/2"}` + "\n"} {
		if _, err := live.Open(strings.NewReader(text)); !errors.Is(err, live.ErrNotRecording) {
			t.Errorf("%q: %v, want ErrNotRecording", text, err)
		}
	}
}

func must(r *live.Recording, err error) *live.Recording {
	if err != nil {
		panic(err)
	}
	return r
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"schema":"seaworthy.top-recording/1","every_s":2,"hosts":["a"]}` + "\n" + `{"host":"a","outputs":[{"id":"entstat-d"}]}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if rec, err := live.Open(bytes.NewReader(text)); err == nil {
			frames, _ := live.Frames(t.Context(), rec)
			for i, x := range frames {
				if x == nil || x.Schema != live.SchemaFrame {
					t.Fatalf("frame %d: got %+v", i, x)
				}
			}
		}
	})
}

// A recording of many hosts and steps costs as much as its lines say, and is left at once.
func TestFramesGrow(t *testing.T) {
	text := func(lines int) string {
		var b strings.Builder
		b.WriteString(`{"schema":"seaworthy.top-recording/1","every_s":0}` + "\n")
		for i := range lines {
			fmt.Fprintf(&b, `{"host":"h%d","at":"%s","lost":"x"}`+"\n", i, time.Unix(int64(10*i), 0).UTC().Format(time.RFC3339))
		}
		return b.String()
	}
	frames, err := live.Frames(t.Context(), must(live.Open(strings.NewReader(text(2500)))))
	if err != nil || len(frames) == 0 {
		t.Fatalf("%d frames, %v", len(frames), err)
	}
	shown := 0
	for _, f := range frames {
		for _, s := range f.Systems {
			shown += len(s.Hosts)
		}
	}
	last := frames[len(frames)-1]
	if shown > 2_100_000 || len(last.Systems) != 1 || len(last.Systems[0].Hosts) != 2500 {
		t.Errorf("%d hosts in %d frames, and %d systems in the last", shown, len(frames), len(last.Systems))
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := live.Frames(ctx, must(live.Open(strings.NewReader(text(10))))); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: got %v", err)
	}
}

// A command that hung is named, and no failure of each reading.
func TestHungIsNamed(t *testing.T) {
	m := live.NewModel("a")
	at := time.Unix(1000, 0)
	m.Add(live.Event{Reading: &collect.Reading{Host: "a", Platform: model.AIX, At: at, Whole: true, Outputs: []assemble.Output{
		{ID: "entstat-d", Element: "ent0", Command: "entstat -d ent0", Exit: -1, Problem: "time limit reached: no end after 45s"},
	}}})
	for i := range 2 {
		m.Add(live.Event{Reading: &collect.Reading{Host: "a", Platform: model.AIX, At: at.Add(time.Duration(i+1) * time.Second),
			Outputs: []assemble.Output{
				{ID: "entstat-d", Element: "ent1", Command: "entstat -d ent1", Exit: -1, Problem: "not asked again: entstat ent1 did not end"},
				{ID: "netstat-s", Command: "netstat -s", Exit: 1},
			}}})
	}
	h := m.Frame().Systems[0].Hosts[0]
	if want := []string{"entstat -d ent0", "entstat -d ent1"}; cmp.Diff(want, h.Hung) != "" || h.Unread != 1 {
		t.Errorf("got %q not asked again and %d that failed, want %q and 1", h.Hung, h.Unread, want)
	}
}
