package web_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/test/browser"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/ui/web"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/stream"
)

// Every page in a real browser, behind the guard's policy: no error in the
// console, nothing that axe-core minds, none wider than the screen. Screenshots
// are in out/serve.
func TestPagesInBrowser(t *testing.T) {
	b := browser.Start(t, filepath.Join("..", "..", "..", "out", "serve"))
	dir := site(t)
	saves(t, dir)
	hub := stream.Open(t.Context(), watching(make(chan live.Event), func() []string { return []string{"vios1:ent0 loss 0.5"} }))
	s, _ := serving(t, dir, hub, remembering(t, dir))
	at := listening(t, s)
	saved := func(file string) string { return "/saved?file=" + url.QueryEscape(filepath.Join(dir, file)) }
	all := map[string]string{
		"overview": "/", "systems": "/?by=system", "findings": "/findings", "each": "/findings?show=each", "unassessed": "/findings?show=unassessed",
		"finding": "/finding?id=R001/lpar1:en0", "host": "/host?name=vios1", "output": "/output?host=lpar1&command=" + url.QueryEscape("lsattr -El en0"),
		"path": "/path?from=lpar1&to=lpar2", "diagnose": "/diagnose?from=lpar1&to=lpar2", "map": "/map?system=" + url.QueryEscape("9119-MHE*21SEA01"), "choose": "/plan", "plan": "/plan?all=1",
		"results": "/results", "result": "/result?file=" + url.QueryEscape(filepath.Join(dir, "first.json")), "drift": "/drift",
		"drifthost": "/drift?host=lpar1", "rules": "/rules", "rule": "/rule?id=R001", "attributes": "/attributes", "attribute": "/attribute?name=mtu_bypass",
		"live": "/live", "savedplan": saved("later.json"), "run": saved("runs/" + run + "/plan.json"),
		"history": "/history", "historyhost": "/history?host=lpar1" + whole, "historypath": "/history?from=lpar1&to=lpar2" + whole,
		"historylines": "/history/lines?host=lpar1&from=2026-05-04T08:00:00Z&to=2026-05-05T08:00:00Z",
		"rehearsal":    "/rehearsal?file=" + url.QueryEscape(filepath.Join(dir, "rehearsal.json")),
	}
	for _, name := range draw.OneIn(t, 8, slices.Sorted(maps.Keys(all))) {
		path := all[name]
		settled(t, s, path)
		b.Open(at+path, browser.Looks[0])
		for _, look := range draw.OneIn(t, 3, browser.Looks) {
			b.Show(look)
			b.Judge(name, look)
		}
	}
	b.Quiet()
}

// guarded is a server of a folder and of running hosts, as a browser reaches it.
func guarded(t *testing.T, dir string) (s http.Handler, at string) {
	t.Helper()
	hub := stream.Open(t.Context(), watching(make(chan live.Event), func() []string { return []string{"vios1:ent0 loss 0.5"} }))
	s, _ = serving(t, dir, hub)
	return s, listening(t, s)
}

// listening is the address of a server behind the guard.
func listening(t *testing.T, s http.Handler) string {
	t.Helper()
	l, err := guard.Listen(guard.Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(l.Handler("", s))
	server.Listener = l
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // a stream ends with its page, or here
	return server.URL
}

// The filter narrows the list without a new page, and is in the address; lists
// and choices work by keyboard.
func TestKeysInBrowser(t *testing.T) {
	b := browser.Start(t, filepath.Join("..", "..", "..", "out", "serve"))
	_, at := guarded(t, site(t))
	wide := browser.Looks[0]
	b.Open(at+"/", wide)
	var address, list string
	b.Run(chromedp.KeyEvent("/"))
	b.Until(`document.activeElement.id == "q"`)
	b.Run(chromedp.Evaluate(`document.getElementById("q").value = ""`, nil), chromedp.SendKeys("#q", "vios1")) // chromedp types the key though the page took it
	b.Until(`location.search.includes("q=vios1") && !document.querySelector('a[href="/host?name=lpar1"]') && !document.querySelector('a[href="/host?name=vios2"]') && document.querySelector('a[href="/host?name=vios1"]')`)
	// By keyboard alone: the first link of the list, a choice, and sorting.
	b.Run(chromedp.Focus(`#list tbody a`), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector("h1").textContent == "vios1"`)
	b.Open(at+"/", wide)
	b.Run(chromedp.SetValue(`select[name=by]`, "system")) // which tells the page of the change
	b.Until(`location.search.includes("by=system") && document.querySelector("#list")?.textContent.includes("9119-MHE*21SEA01")`)
	b.Run(chromedp.Location(&address), chromedp.Text("#list", &list))
	if !strings.Contains(address, "by=system") || strings.Contains(list, "lpar1") {
		t.Errorf("by system: the address is %s, the list\n%s", address, list)
	}
	// Tab leads past the navigation to the content.
	var skip string
	b.Open(at+"/rules", wide)
	b.Run(chromedp.KeyEvent(kb.Tab), chromedp.Evaluate("document.activeElement.textContent", &skip))
	if skip != "Skip to the content" {
		t.Errorf("Tab leads to %q", skip)
	}
	b.Quiet()
}

// Every page that the navigation leads to opens without an error in the console, however the server was started:
// of folders, of running hosts alone, of both. One way a run, all with MISSETTINGS=all.
func TestWaysOfStartingInBrowser(t *testing.T) {
	dir := site(t)
	running := func() *stream.Hub {
		return stream.Open(t.Context(), watching(make(chan live.Event), func() []string { return nil }))
	}
	ways := []struct {
		name string
		hub  *stream.Hub
		more func(*web.Options)
		live bool
	}{
		{name: "folders", more: func(*web.Options) {}},
		{name: "lab", hub: running(), live: true, more: func(o *web.Options) { o.Running = []string{"-i", "lab:week"}; o.Words = o.Running }},
		{name: "inventory and folders", hub: running(), live: true, more: func(o *web.Options) { o.Running = []string{"-i", "hosts.yaml"} }},
	}
	b := browser.Start(t, filepath.Join("..", "..", "..", "out", "serve"))
	for _, way := range draw.OneIn(t, len(ways), ways) {
		s, read := serving(t, dir, way.hub, way.more)
		<-read.Ready()
		at := listening(t, s)
		b.Open(at+"/", wider)
		var links []string
		b.Run(chromedp.Evaluate(`[...document.querySelectorAll("nav a")].map(a => a.getAttribute("href"))`, &links))
		if len(links) < 10 || slices.Contains(links, "/live") != way.live {
			t.Errorf("%s: the navigation has %q", way.name, links)
		}
		for _, path := range append(links, "/path?from=lpar1&to=lpar2", "/diagnose?from=lpar1&to=lpar2", "/plan?all=1", "/host?name=vios1") {
			status, _ := settled(t, s, path)
			if status != http.StatusOK {
				t.Errorf("%s, %s: status %d", way.name, path, status)
			}
			b.Open(at+path, wider)
			b.Fits(way.name+" "+path, wider)
		}
	}
	b.Quiet()
}

// wider is a wide screen.
var wider = browser.Look{Name: "wide", Width: 1920, Scheme: "light"}
