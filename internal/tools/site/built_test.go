package main

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"seaworthy/internal/test/browser"
	"seaworthy/internal/test/draw"
)

// The site as make docs builds it: no page asks another host for anything, every link within it leads somewhere,
// and in a browser, from a server and from files, the search finds a rule and the console says nothing.
func TestBuiltSite(t *testing.T) {
	draw.Rarely(t, 20)
	site := build(t)
	asksNobody(t, site)
	server := httptest.NewServer(http.FileServer(http.Dir(site)))
	t.Cleanup(server.Close)
	for _, base := range []string{server.URL, "file://" + site} {
		t.Run(strings.SplitN(base, ":", 2)[0], func(t *testing.T) { browse(t, base) })
	}
}

// build builds the site, or skips the test where what builds it can be had from nowhere.
func build(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	if _, err := os.Stat(filepath.Join(root, "out/site-python/requirements.txt")); err != nil {
		probe := exec.CommandContext(ctx, "python3", "-c", "import venv, ensurepip")
		if out, err := probe.CombinedOutput(); err != nil {
			t.Skipf("Python 3 with venv is not here (apt-get install python3-venv): %v\n%s", err, out)
		}
		reach := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "-q", "--no-deps", "--dest", t.TempDir(), "mkdocs-material-extensions==1.3.1")
		if out, err := reach.CombinedOutput(); err != nil {
			t.Skipf("PyPI is not reached, and out/site-python is not there: make docs builds nothing here: %v\n%s", err, out)
		}
	}
	out, err := exec.CommandContext(ctx, "make", "-C", root, "docs").CombinedOutput()
	if err != nil {
		t.Fatalf("make docs: %v\n%s", err, out)
	}
	return filepath.Join(root, "out/site")
}

var (
	loaded   = regexp.MustCompile(`<(?:script|link|img|iframe|source|object|embed)\b[^>]*?\b(?:src|href|data)="?((?:https?:)?//[^" >]+)`)
	imported = regexp.MustCompile(`(?:@import|url\()\s*["']?((?:https?:)?//[^"')]+)`)
)

// asksNobody fails the test where a page or a style sheet loads something from another host.
func asksNobody(t *testing.T, site string) {
	t.Helper()
	pages := 0
	err := filepath.WalkDir(site, func(file string, d fs.DirEntry, err error) error {
		ext := filepath.Ext(file)
		if err != nil || d.IsDir() || ext != ".html" && ext != ".css" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		pages++
		for _, form := range []*regexp.Regexp{loaded, imported} {
			for _, m := range form.FindAllSubmatch(text, -1) {
				t.Errorf("%s loads %s", strings.TrimPrefix(file, site), m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 500 {
		t.Errorf("the site has %d pages, want one for each rule and attribute", pages)
	}
}

// browse reads some pages as a person does.
func browse(t *testing.T, base string) {
	b := browser.Start(t, t.TempDir())
	own, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 1000)
	chromedp.ListenTarget(b, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			asked <- e.Request.URL
		}
	})
	b.Run(network.Enable())
	for _, look := range browser.Looks {
		for _, page := range []string{"index.html", "rules/R001.html", "attributes/mtu_bypass.html", "diagnosing.html"} {
			b.Open(base+"/"+page, look)
			b.Until(`document.querySelector("h1") !== null`)
			b.Fits(page, look)
		}
	}
	b.Open(base+"/index.html", browser.Looks[0])
	b.Until(`document.querySelector("[data-md-component=search-query]") !== null`)
	b.Run(chromedp.Click(`[data-md-component=search-query]`, chromedp.ByQuery), chromedp.SendKeys(`[data-md-component=search-query]`, "largesend off AIX client", chromedp.ByQuery))
	b.Until(`[...document.querySelectorAll(".md-search-result__link")].some(a => a.href.includes("/rules/R001.html"))`)
	b.Run(chromedp.SendKeys(`[data-md-component=search-query]`, kb.Escape, chromedp.ByQuery))
	b.Quiet()
	if len(asked) == 0 {
		t.Error("the browser asked for nothing: its requests were not seen")
	}
	for len(asked) > 0 {
		u, err := url.Parse(<-asked)
		if err = errors.Join(err, b.Err()); err != nil {
			t.Fatal(err)
		}
		if u.Scheme != "data" && u.Scheme != "blob" && (u.Scheme != own.Scheme || u.Host != own.Host) {
			t.Errorf("a page asks for %s", u)
		}
	}
}
