package web_test

import (
	"bufio"
	"html"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/test/await"
	"seaworthy/internal/ui/web/stream"
)

func TestPages(t *testing.T) {
	dir := site(t)
	s, _ := serving(t, dir, nil)
	at := func(path string, pairs ...string) string {
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Add(pairs[i], pairs[i+1])
		}
		return path + "?" + v.Encode()
	}
	for _, tt := range []struct {
		path   string
		status int
		has    []string
		hasNot []string
	}{
		{"/", 200, []string{`<a href="/host?name=lpar1">lpar1</a>`, "vios2", "9119-MHE*21SEA01", "<b>2</b> high", `aria-current="page">Overview`, "4 hosts read at", "2 findings of 1 kind", `<a href="/plan?only=R001">Plan it</a>`}, []string{"Reading:"}},
		{"/?q=vios", 200, []string{"vios1", "vios2"}, []string{"name=lpar1"}},
		{"/?q=!vios+lpar2", 200, []string{"name=lpar2"}, []string{"name=lpar1", "name=vios1"}},
		{"/?severity=high", 200, []string{"name=lpar1"}, []string{"name=vios1"}},
		{"/?platform=vios", 200, []string{"name=vios1"}, []string{"name=lpar1"}},
		{"/?by=system", 200, []string{"9119-MHE*21SEA02", "hosts ▼", `<td class="n">2</td>`}[:1], []string{"name=lpar1"}},
		{"/?sort=host&order=down", 200, []string{`aria-sort="descending"><a href="/?order=up&amp;sort=host">host ▼`}, nil},
		{"/?q=nobody", 200, []string{"No host matches."}, nil},
		{"/findings", 200, []string{"R001", "en0 on 2 hosts"}, nil},
		{"/findings?rule=R001", 200, []string{"/finding?id=R001%2Flpar1%3Aen0", "lpar2"}, []string{"R052"}},
		{"/findings?show=unassessed", 200, []string{"/finding?id="}, nil},
		{"/findings?show=waived", 200, []string{"None."}, nil},
		{"/finding?id=R001/lpar1:en0", 200, []string{"<mark>mtu_bypass", "off", "lpar1 $ lsattr -El en0", "Plan the change", "Whole output"}, nil},
		{"/finding?id=R001/nobody:en0", 404, []string{"there is no finding R001/nobody:en0 now"}, nil},
		{"/host?name=lpar1", 200, []string{"mtu_bypass=off", "R001", "What changed", "lsattr -El en0", "7200-05-03-2148", "10.10.10.", "errors counted", "<td>none</td>", "virtual processor"}, nil},
		{"/host?name=nobody", 404, []string{"nobody was not read"}, nil},
		{at("/output", "host", "lpar1", "command", "lsattr -El en0"), 200, []string{"mtu_bypass", `<span class="no">1</span>`}, nil},
		{at("/output", "host", "lpar1", "command", "ifconfig en0"), 200, []string{"ifconfig -a", "flags="}, nil},
		{at("/output", "host", "lpar1", "command", "rm -rf /"), 404, []string{"no output of"}, nil},
		{at("/output", "host", "../../etc", "command", "x"), 404, []string{"no snapshot"}, nil},
		{"/path", 200, []string{`<option value="lpar1">`}, nil},
		{"/path?from=lpar1&to=lpar2", 200, []string{`<svg class="sea"`, "vios1:ent5", "seaworthy show path lpar1 lpar2"}, nil},
		{"/path?from=lpar1&to=nobody", 200, []string{`role="alert"`, "nobody"}, []string{"<svg"}},
		{"/diagnose", 200, []string{`<option value="lpar1">`}, nil},
		{"/diagnose?from=lpar1&to=lpar2", 200, []string{"lpar1:en0 → lpar2:en0", "R001/lpar1:en0", "On a terminal", "seaworthy diagnose lpar1 lpar2", "seaworthy probe mtu lpar1 lpar2<"}, []string{`role="alert"`, "seaworthy probe mtu lpar1 lpar2 /"}},
		{"/diagnose?from=lpar1&to=nobody", 200, []string{`role="alert"`, "nobody"}, nil},
		{"/map", 200, []string{"9119-MHE*21SEA01", "vios1:ent5", `<a href="/host?name=lpar1">lpar1</a>`}, nil},
		{"/map?system=9119-MHE*21SEA01", 200, []string{`<svg class="sea"`}, []string{"vios2:ent5"}},
		{"/plan", 200, []string{`name="only" value="R001"`, "everything"}, nil},
		{"/plan?only=R001/lpar1:en0", 200, []string{"chdev -l en0 -a mtu_bypass=on", "mtu_bypass: off → on", "--only R001/lpar1:en0 -o plan.json", "Undo", "caution: Messages of 700 bytes"}, []string{"lpar2"}},
		{"/plan?host=lpar2", 200, []string{"lpar2</a> en0"}, []string{"lpar1</a>"}},
		{"/plan?only=R999", 200, []string{"nothing of this can be planned"}, nil},
		{"/results", 200, []string{"lpar1 → lpar2", "first.json", "plan.json: plan : its content has the id"}, nil},
		{at("/result", "file", filepath.Join(dir, "first.json")), 200, []string{"5 000", `<svg`, "The same at other times"}, nil},
		{"/result?file=/etc/passwd", 404, []string{"there is no result"}, nil},
		{"/drift", 200, []string{"4 hosts compared", "7200-05-02-2114", "7200-05-03-2148"}, nil},
		{"/drift?host=lpar1", 200, []string{"1 host compared", "7200-05-02-2114"}, []string{"lpar2"}},
		{"/drift?from=/etc&to=/etc", 200, []string{"there is no such reading"}, nil},
		{"/drift?host=nobody", 200, []string{"there is nothing to compare it with"}, nil},
		{"/rules", 200, []string{"R001", "R052"}, nil},
		{"/rule?id=r001", 200, []string{"source", "Its findings", "/attribute?name=mtu_bypass"}, nil},
		{"/rule?id=R999", 404, nil, nil},
		{"/attributes?layer=sea&q=largesend", 200, []string{"/attribute?name=largesend"}, []string{"tcp_sendspace"}},
		{"/attribute?name=mtu_bypass", 200, []string{"On these hosts", "off"}, nil},
		{"/attribute?name=none", 404, nil, nil},
		{"/live", 404, []string{"no running hosts are watched"}, nil},
		{"/nothing", 404, []string{"there is no such page"}, nil},
		{"/static/nothing", 404, nil, nil},
		{"/static/../server.go", 404, nil, nil},
	} {
		status, body := settled(t, s, tt.path)
		if status != tt.status && !(tt.status == 404 && status/100 == 3) {
			t.Errorf("%s: got status %d, want %d:\n%s", tt.path, status, tt.status, body)
		}
		for _, want := range tt.has {
			if !strings.Contains(html.UnescapeString(body), html.UnescapeString(want)) {
				t.Errorf("%s: no %q in\n%s", tt.path, want, body)
			}
		}
		for _, bad := range append(tt.hasNot, "style=\"", "<script>", "onclick", "javascript:", `="http://`, "url(http", "could not be made") {
			if strings.Contains(body, bad) && strings.HasPrefix(body, "<!DOCTYPE") {
				t.Errorf("%s has %q", tt.path, bad)
			}
		}
	}
}

var href = regexp.MustCompile(`(?:href|action)="([^"]*)"`)

// Every page that can be reached from the first is there, and whatever hosts
// printed is text on it.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	imported(t, filepath.Join(dir, "a"), monday, edited(t, strings.Clone))
	outputs, err := filepath.Glob(filepath.Join(dir, "a", "*", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range outputs {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, plant := range [][2]string{{`(?m)^(Partition Name +: .*)$`, "$1" + evil}, {`(?m)^(AIX )(\S+)( .*)$`, "$1$2" + evil + "$3"},
			{`(?m)^(mtu_bypass +)off( )`, "${1}off" + evil + "$2"}, {`(?m)^(largesend +)\S+( )`, "${1}" + evil + "$2"}, {`(?m)^(ent\d Available +.*)$`, "$1" + evil}} {
			text = regexp.MustCompile(plant[0]).ReplaceAll(text, []byte(plant[1]))
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "a", "lpar1", "manifest.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	named := strings.Replace(string(text), `"host":"lpar1"`, `"host":"lpar1\u001b[2J\u202e<script>alert(1)</script>"`, 1)
	if named == string(text) {
		t.Fatal("the manifest names no host")
	}
	if err := os.WriteFile(file, []byte(named), 0o600); err != nil {
		t.Fatal(err)
	}
	hostile := strings.ReplaceAll(result, `"lpar1"`, `"lpar1\u001b[2J\u202e<script>alert(1)</script>"`)
	if err := os.WriteFile(filepath.Join(dir, "r<script>alert(1)</script>.json"), []byte(hostile), 0o600); err != nil {
		t.Logf("no file of such a name here: %v", err)
	}
	s, _ := serving(t, dir, nil)
	todo, seen, spread := []string{"/", "/plan?all=1"}, map[string]bool{}, 0
	for len(todo) > 0 && len(seen) < 150 {
		path := todo[0]
		todo = todo[1:]
		if i := strings.IndexByte(path, '#'); i >= 0 {
			path = path[:i]
		}
		if seen[path] || strings.HasPrefix(path, "/static/") || path == "" {
			continue
		}
		seen[path] = true
		status, body := settled(t, s, path)
		if status != 200 {
			t.Errorf("%s: status %d", path, status)
		}
		if i := strings.IndexFunc(body, func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }); i >= 0 {
			t.Errorf("%s has what is not to be seen: %q", path, body[max(0, i-60):i+10])
		}
		if strings.Contains(body, "<script>") {
			t.Errorf("%s: what a host printed became an element", path)
		}
		spread += strings.Count(body, "alert(1)")
		for _, m := range href.FindAllStringSubmatch(body, -1) {
			link := html.UnescapeString(m[1])
			if !strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "#") {
				t.Errorf("%s links to %q", path, link)
			}
			todo = append(todo, link)
		}
	}
	if len(seen) < 60 || spread < 30 {
		t.Errorf("%d pages, %d times what hosts printed: the test would prove little", len(seen), spread)
	}
}

// A folder that grows is read again, and the pages show it.
func TestGrows(t *testing.T) {
	dir := t.TempDir()
	all := edited(t, strings.Clone)
	imported(t, filepath.Join(dir, "a"), monday, map[string]string{"lpar1": all["lpar1"]})
	s, _ := serving(t, dir, nil)
	if _, body := get(t, s, "/"); strings.Contains(body, "vios1") || !strings.Contains(body, "name=lpar1") {
		t.Fatalf("lpar1 alone is there: got\n%s", body)
	}
	imported(t, filepath.Join(dir, "b"), monday, map[string]string{"vios1": all["vios1"]})
	await.Until(t, "vios1 on the first page", func() bool {
		_, body := get(t, s, "/")
		return strings.Contains(body, "name=vios1")
	})
}

// The stream sends the frame there is, and again when a host went away or
// something is broken.
func TestEvents(t *testing.T) {
	events := make(chan live.Event)
	broken := make(chan []string, 1)
	var now []string
	hub := stream.Open(t.Context(), watching(events, func() []string {
		select {
		case now = <-broken:
		default:
		}
		return now
	}))
	s, _ := serving(t, site(t), hub)
	server := httptest.NewServer(s)
	defer server.Close()
	resp, err := server.Client().Get(server.URL + "/live/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("got the type %q", got)
	}
	lines := bufio.NewScanner(resp.Body)
	wait := func(what string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), what) {
				return
			}
		}
		t.Fatalf("no %q in the stream: %v", what, lines.Err())
	}
	wait(`"key":"/lpar1"`)
	events <- live.Event{Lost: &live.Lost{Host: "lpar1", At: time.Now(), Why: "connection refused \u202e"}}
	wait(`connection refused`)
	broken <- []string{"vios1 crash"}
	wait(`"faults":["vios1 crash"]`)
	if status, body := get(t, s, "/live"); status != 200 || !strings.Contains(body, "AWAY since") || !strings.Contains(body, "vios1 crash") {
		t.Errorf("/live: status %d:\n%s", status, body)
	}
	if status, body := get(t, s, "/live/past?key=x"); status != 200 || !strings.Contains(body, `"time":[`) {
		t.Errorf("/live/past: status %d: %s", status, body)
	}
}
