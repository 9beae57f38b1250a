package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/livetree"
	"seaworthy/internal/ui/report/quote"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/stream"
)

// sample is one row of the tree as a page has it.
type sample struct {
	Key   string   `json:"key"`
	Depth int      `json:"-"`
	Name  string   `json:"-"`
	Kind  string   `json:"-"` // system, host, element
	Down  bool     `json:"down,omitempty"`
	Note  string   `json:"note"`
	Cells []string `json:"cells"`
	Alarm bool     `json:"alarm,omitempty"` // packets are lost now
}

// event holds what the stream sends: a frame.
type event struct {
	At     string              `json:"at"`
	Time   float64             `json:"time"` // seconds since 1970
	Rows   []sample            `json:"rows"`
	Cores  map[string]float64  `json:"cores"`
	Rates  map[string][]number `json:"rates"` // by row: Mbit/s in and out
	Faults []string            `json:"faults"`
	Failed string              `json:"failed,omitempty"`
}

// number is a figure in JSON, null if it is not known.
type number *float64

type running struct {
	event
	Name   string
	Every  float64 // seconds
	Hosts  []string
	Known  bool
	Filter string
}

// livePages show running hosts.
type livePages struct {
	ctx    context.Context // of the server: streams end with it
	hub    *stream.Hub     // nil: no running hosts
	frames frameText
}

// live shows the tree of running hosts as it is now.
func (l *livePages) live(r *request) (*view, error) {
	if l.hub == nil {
		return nil, missing("no running hosts are watched: seaworthy serve --lab NAME, or -i, does")
	}
	now := l.hub.Now()
	b := running{event: eventOf(now), Name: l.hub.Name(), Every: l.hub.Every().Seconds(), Known: now.Known, Filter: r.Get("q")}
	rows := livetree.Rows(now.Frame)
	for i, x := range rows {
		if b.Filter != "" && !x.Matches(b.Filter) {
			b.Rows[i].Key = ""
		}
		if x.Element == nil && x.Host != nil {
			b.Hosts = append(b.Hosts, x.Host.Name)
		}
	}
	b.Rows = slices.DeleteFunc(b.Rows, func(x sample) bool { return x.Key == "" })
	return &view{Title: "Live: " + b.Name, Body: b}, nil
}

func eventOf(now stream.Now) event {
	e := event{At: now.Frame.At.UTC().Format("15:04:05"), Time: seconds(now.Frame.At), Faults: now.Faults, Failed: now.Failed,
		Cores: map[string]float64{}, Rates: map[string][]number{}}
	for _, r := range livetree.Rows(now.Frame) {
		x := sample{Key: r.Key, Depth: r.Depth, Name: r.Name(), Kind: "system", Note: r.Note(), Cells: cells(r)}
		switch {
		case r.Element != nil:
			x.Kind, x.Down = "element", r.Element.LinkUp != nil && !*r.Element.LinkUp
			x.Alarm = r.Element.Rates[live.Drops] > 0 || r.Element.Rates[live.Misses] > 0
			e.Rates[r.Key] = rates(r.Element.Rates)
		case r.Host != nil:
			x.Kind, x.Down = "host", r.Host.State == live.Away || r.Host.State == live.Refused
			if r.Host.Cores != nil {
				e.Cores[r.Host.Name] = *r.Host.Cores
			}
		}
		e.Rows = append(e.Rows, x)
	}
	return e
}

func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}

// cells are the figures of a row: what an adapter moved in Mbit/s, the rest a second.
func cells(r livetree.Row) []string {
	moved := r.Bytes(false, livetree.Megabits)
	return append(moved, r.Cells(false)[len(moved):]...)
}

// rates are those of the charts, in Mbit/s.
func rates(of live.Rates) []number {
	var out []number
	for _, m := range []live.Metric{live.InBytes, live.OutBytes} {
		v, ok := of[m]
		v *= 8 / 1e6
		if !ok {
			out = append(out, nil)
			continue
		}
		out = append(out, &v)
	}
	return out
}

// frameText is the newest frame as the stream sends it: made once for all viewers.
type frameText struct {
	mu   sync.Mutex
	of   stream.Now
	made []byte
}

func (f *frameText) text(now stream.Now) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.made != nil && f.of.Frame == now.Frame && f.of.Failed == now.Failed && slices.Equal(f.of.Faults, now.Faults) {
		return f.made, nil
	}
	text, err := json.Marshal(eventOf(now))
	if err != nil {
		return nil, err
	}
	f.of, f.made = now, quote.JSON(text)
	return f.made, nil
}

// events streams frames until the reader goes away.
func (l *livePages) events(w http.ResponseWriter, r *http.Request) {
	if l.hub == nil || r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	to := http.NewResponseController(w)
	_ = to.SetReadDeadline(time.Time{}) // the server's limit is for questions; where there is none, none is lifted
	w.Header().Set("Content-Type", "text/event-stream")
	news, leave := l.hub.View()
	defer leave()
	for {
		text, err := l.frames.text(l.hub.Now())
		if err != nil {
			return
		}
		_ = to.SetWriteDeadline(time.Now().Add(30 * time.Second)) // a listener that cannot is none of ours
		if _, err := fmt.Fprintf(w, "event: frame\ndata: %s\n\n", text); err != nil || to.Flush() != nil {
			return
		}
		select {
		case <-news:
		case <-r.Context().Done():
			return
		case <-l.ctx.Done():
			return
		}
	}
}

// past returns what the charts begin with: the cores of all hosts, and the rates of
// one row.
func (l *livePages) past(w http.ResponseWriter, r *http.Request) {
	if l.hub == nil {
		http.NotFound(w, r)
		return
	}
	var out struct {
		Time  []float64           `json:"time"`
		Cores map[string][]number `json:"cores"`
		Rates [][]number          `json:"rates"` // Mbit/s in and out
	}
	points, key := l.hub.Past(), r.URL.Query().Get("key")
	out.Cores, out.Rates = map[string][]number{}, make([][]number, 2)
	for i, p := range points {
		out.Time = append(out.Time, seconds(p.At))
		for host, v := range p.Cores {
			if out.Cores[host] == nil {
				out.Cores[host] = make([]number, len(points))
			}
			out.Cores[host][i] = &v
		}
		for k, v := range rates(p.Rates[key]) {
			out.Rates[k] = append(out.Rates[k], v)
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	guard.Send(w, r, http.StatusOK, quote.JSON(text))
}

// Indent is the class of a row's depth.
func (x sample) Indent() string { return "d" + fmt.Sprint(min(x.Depth, 6)) }

// Columns are the headings of the cells.
func (running) Columns() []string {
	return strings.Split("Mbit/s in|Mbit/s out|packets/s in|packets/s out|drops/s|misses/s", "|")
}
