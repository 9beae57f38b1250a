package main_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"seaworthy/internal/test/browser"
	"seaworthy/internal/test/draw"
)

// serving starts seaworthy serve, and gives where it is.
func (b *box) serving(args ...string) (r *running, url string) {
	b.t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		b.t.Fatal(err)
	}
	defer in.Close()
	r = &running{Cmd: b.command(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), t: b.t, ended: make(chan struct{})}
	r.Stdout, r.Stderr = out, &r.err
	r.begin()
	out.Close()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		b.t.Fatalf("no address: %v: %s", err, r.end())
	}
	return r, strings.TrimSpace(line)
}

// A running lab in a browser: what breaks shows without a new page, and what is
// mended, too. Ctrl-C ends the server though the page is open.
func TestServeLab(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	page := browser.Start(t, filepath.Join("..", "..", "out", "serve"))
	b := newBox(t, false)
	b.lab("serve")
	r, url := b.serving("--lab", "serve")
	look := browser.Looks[0]
	page.Open(url+"live", look)
	page.Until(`document.querySelector('tr[data-key="/vios1:ent5"]') && document.querySelectorAll("canvas").length == 2`)
	page.Until(`/^\d/.test(document.querySelector('tr[data-key="/lpar1:ent0"] td.n')?.textContent)`)
	page.Until(`document.querySelector("#faults").textContent == "none"`)
	b.must(0, "lab", "break", "--lab", "serve", "vios1:ent0", "port-down")
	page.Until(`document.querySelector("#faults").textContent.includes("vios1:ent0 port-down")`)
	page.Until(`[...document.querySelectorAll("tr.down")].some(r => r.dataset.key.includes("ent0"))`)
	page.Judge("lab-fault", look)
	b.must(0, "lab", "mend", "--lab", "serve", "vios1:ent0", "port-down")
	page.Until(`document.querySelector("#faults").textContent == "none"`)
	page.Quiet()
	if err := r.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if got := r.end(); got.exit != 0 {
		t.Errorf("after Ctrl-C: %s", got)
	}
	b.must(0, "lab", "down", "serve")
}

// Every page is there in each way to start serve, without an error in the browser's console.
func TestServePages(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	page := browser.Start(t, filepath.Join("..", "..", "out", "serve"))
	b := newBox(t, false)
	b.lab("pages")
	b.must(0, "collect", "-i", "lab:pages", "-o", b.path("saved"))
	type opened struct {
		way  []string
		path string
	}
	var all []opened
	for _, way := range [][]string{{"--lab", "pages"}, {"-i", "lab:pages"}, {b.path("saved")}, {b.path("saved"), "-i", "lab:pages"}} {
		for _, path := range []string{"", "findings", "diagnose?from=lpar1&to=lpar2", "path?from=lpar1&to=lpar2", "map", "plan?all=1", "drift", "results",
			"host?name=lpar1", "rules", "attributes"} {
			all = append(all, opened{way, path})
		}
	}
	urls := map[string]string{}
	var servers []*running
	for _, x := range draw.Costly(t, 15, 3, all) {
		key := strings.Join(x.way, " ")
		if urls[key] == "" {
			r, url := b.serving(x.way...)
			servers, urls[key] = append(servers, r), url
		}
		page.Open(urls[key]+x.path, browser.Looks[0])
		page.Until(`document.querySelector("h1") && document.querySelector("h1").textContent != "Still reading" && !document.querySelector("#page[hx-trigger]")`)
		page.Until(`!["Not shown"].includes(document.querySelector("h1").textContent)`)
	}
	page.Quiet()
	for _, r := range servers {
		err := r.Process.Signal(syscall.SIGINT)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.end(); got.exit != 0 {
			t.Errorf("after Ctrl-C: %s", got)
		}
	}
	left, err := filepath.Glob(b.path("tmp", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	b.must(0, "lab", "down", "pages")
}
