package web_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/browser"
	"seaworthy/internal/ui/web"
)

// fakeHub is a hub with two zones, one of which is hostile, and two sweeps.
type fakeHub struct {
	sweeps []control.Sweep
	broken error
}

func newFakeHub() *fakeHub {
	return &fakeHub{sweeps: []control.Sweep{
		{ID: "20260504-080000-aaaaaa", By: "nightly", Begun: monday, Ended: monday.Add(time.Minute), All: 4, Read: 4},
		{ID: "20260505-080000-bbbbbb", Words: []string{"lpar*"}, User: "ann@desk", Begun: monday.Add(24 * time.Hour), All: 4, Read: 1, Failed: 1,
			Left: control.Seconds(90 * time.Second), Zones: []control.Part{{Zone: "dmz", All: 4, Done: 2, Silent: true, Seen: monday}},
			Not: []control.Outcome{{Host: "lpar2", Zone: "dmz", Verdict: control.Failed, Reason: "no route to host " + evil}}}}}
}

func (h *fakeHub) Zones(context.Context) ([]control.ZoneState, error) {
	return []control.ZoneState{{Zone: control.Zone{Name: "dmz"}, Hosts: 4, Waiting: 2, Held: 1, Connected: true, Collector: "box-1"},
		{Zone: control.Zone{Name: "evil"}, Refused: 3, LastReason: "result of " + evil, Seen: monday, Silent: true}}, h.broken
}

func (h *fakeHub) Sweeps(context.Context) ([]control.Sweep, error) { return h.sweeps, h.broken }

func (h *fakeHub) Status(_ context.Context, id string) (*control.Sweep, error) {
	for _, s := range h.sweeps {
		if s.ID == id {
			return &s, nil
		}
	}
	return nil, errors.New("sweep " + id + ": not known")
}

func (h *fakeHub) Schedules(context.Context) ([]control.Schedule, error) {
	return []control.Schedule{{Name: "nightly", Cron: "30 2 * * *", Next: monday.Add(48 * time.Hour), Last: "20260504-080000-aaaaaa"}}, h.broken
}

// hubServer are the pages of a hub over a history of the folders of site.
func hubServer(t *testing.T, hub *fakeHub) *web.Server {
	t.Helper()
	o := web.Options{Fleet: hub, Rules: knowledge.BuiltIn().Rules(), Version: "test"}
	remembering(t, site(t))(&o)
	return web.New(t.Context(), o)
}

// The pages of a hub have its zones, sweeps, schedules, the findings of its history, and lead to that of each host.
func TestFleetPages(t *testing.T) {
	hub := newFakeHub()
	s := hubServer(t, hub)
	for _, tt := range []struct {
		path   string
		status int
		want   []string
		not    string
	}{
		{"/", 200, []string{"4 hosts in the history", `aria-current="page">Fleet<|href="/fleet">Fleet<`, "box-1", "running, about 1m30s left", "schedule nightly",
			"ann@desk", "30 2 \\* \\* \\*", `hx-trigger="load delay:1s"`, `<td class="n">3</td><td>result of`}, "<script>alert"},
		{"/fleet", 200, []string{`id=20260505-080000-bbbbbb`, `0 more than a day ago|4 more than a day ago`, " UTC, silent</td>"}, ""},
		{"/fleet/sweep?id=20260505-080000-bbbbbb", 200, []string{"2 of 4 hosts: 1 read, 0 read in part, 1 not read", `host=lpar2"`, "no route to host",
			`<th scope="row">dmz, silent since 20`}, "<script>alert"},
		{"/fleet/sweep?id=20260504-080000-aaaaaa", 200, []string{"ended 2026-05-04 08:01:00 UTC", "<p>None.</p>"}, "load delay"},
		{"/fleet/sweep?id=nosuch", 404, []string{"sweep nosuch: not known"}, ""},
		{"/fleet/findings", 200, []string{`href="/fleet/findings\?rule=R001"`, "high"}, ""},
		{"/fleet/findings?q=nothing+like+it", 200, []string{"<p>None.</p>"}, "rule=R001"},
		{"/fleet/findings?rule=R001", 200, []string{`/history\?host=lpar1">lpar1</a>:en0`, "2026-05-0[45]"}, ""},
		{"/fleet/findings?rule=R001&q=lpar2", 200, []string{"lpar2</a>:en0"}, "host=lpar1"},
		{"/fleet/findings?rule=X", 404, []string{"there is no rule X"}, ""},
		{"/history", 200, []string{`href="/history\?host=vios2"`}, ""},
		{"/findings", 404, []string{"no folder was named"}, ""},
	} {
		status, body := get(t, s, tt.path)
		if status != tt.status {
			t.Errorf("%s: status %d\n%s", tt.path, status, body)
		}
		for _, want := range tt.want {
			if !regexp.MustCompile(want).MatchString(body) {
				t.Errorf("%s: it lacks %q\n%s", tt.path, want, body)
			}
		}
		if tt.not != "" && strings.Contains(body, tt.not) {
			t.Errorf("%s: it has %q", tt.path, tt.not)
		}
	}
	status, body := get(t, s, "/metrics")
	for _, want := range []string{`seaworthy_fleet_zone_connected{zone="dmz"} 1`, `seaworthy_fleet_refused_messages_total{zone="evil"} 3`,
		`seaworthy_fleet_sweep_hosts{outcome="failed"} 1`, "seaworthy_hosts 4", `seaworthy_finding{rule="R001",severity="high",host="lpar1",element="en0"} 1`,
		`seaworthy_snapshot_timestamp_seconds{host="vios1"}`} {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("/metrics: status %d, it lacks %s\n%s", status, want, body)
		}
	}
	hub.broken = errors.New("hub: it is starting, or stopping: try again in a few seconds")
	for _, path := range []string{"/fleet", "/metrics"} {
		status, body = get(t, s, path)
		if status != http.StatusInternalServerError || !strings.Contains(body, "starting, or stopping") {
			t.Errorf("%s of a hub that does not answer: status %d\n%s", path, status, body)
		}
	}
}

// The pages of a hub in a real browser: no error in the console, none wider than the screen.
func TestFleetInBrowser(t *testing.T) {
	b := browser.Start(t, filepath.Join("..", "..", "..", "out", "serve"))
	hub := newFakeHub()
	hub.sweeps[1].Ended = monday.Add(25 * time.Hour) // a page that comes again by itself moves under the judge
	at := listening(t, hubServer(t, hub))
	for name, path := range map[string]string{"fleet": "/", "fleetsweep": "/fleet/sweep?id=20260505-080000-bbbbbb", "fleetfindings": "/fleet/findings",
		"fleetrule": "/fleet/findings?rule=R001"} {
		b.Open(at+path, browser.Looks[0])
		for _, look := range []browser.Look{browser.Looks[0], browser.Looks[len(browser.Looks)-1]} {
			b.Show(look)
			b.Judge(name, look)
		}
	}
	b.Quiet()
}
