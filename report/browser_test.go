package report_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axe is axe-core, which judges how accessible a page is: testdata/axe/README.md.
func axe(t *testing.T) string {
	t.Helper()
	f, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	const want = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want {
		t.Fatalf("axe.min.js has the hash %x, want %s", sum, want)
	}
	return string(text)
}

// browser starts Chromium, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()))
		ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
		t.Cleanup(stop)
		ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
		t.Cleanup(stop)
		ctx, stop = chromedp.NewContext(ctx)
		t.Cleanup(stop)
		return ctx
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no Chromium is installed: apt-get install chromium")
	}
	t.Skip("no Chromium is installed")
	return nil
}

// looks are the ways that a page is looked at.
var looks = []struct {
	name   string
	width  int64
	scheme string
}{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"narrow", 390, "light"}}

// overlaps are the texts of drawings and charts that touch each other or leave the drawing,
// as the browser sets them.
const overlaps = `[...document.querySelectorAll("svg.sea,svg.chart")].flatMap(svg => {
	const all = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim()).map(t => [t.textContent, t.getBBox()]), bad = [];
	all.forEach(([s, a], i) => {
		if (a.x < 0 || a.x + a.width > svg.viewBox.baseVal.width) bad.push(s + " leaves the drawing");
		all.slice(i + 1).forEach(([o, b]) => {
			if (a.x + 1 < b.x + b.width && b.x + 1 < a.x + a.width && a.y + 3 < b.y + b.height && b.y + 3 < a.y + a.height) bad.push(s + " over " + o);
		});
	});
	return bad;
})`

// Every page in a real browser: no error in the console, nothing that axe-core
// minds, no page wider than the screen, no texts over each other. Screenshots
// and PDFs are in out/pages.
func TestPagesInBrowser(t *testing.T) {
	ctx, judge := browser(t), axe(t)
	out := filepath.Join("..", "out", "pages")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var said []string
	note := func(s string) { mu.Lock(); defer mu.Unlock(); said = append(said, s) }
	chromedp.ListenTarget(ctx, func(ev any) {
		switch e := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			note(string(e.Type))
		case *runtime.EventExceptionThrown:
			note(e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			note(e.Entry.Text)
		}
	})
	dir := t.TempDir()
	for name, text := range pages(t) {
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, look := range looks {
			var shot []byte
			var found string
			var wide int
			var over []string
			err := chromedp.Run(ctx, log.Enable(),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}),
				chromedp.EmulateViewport(look.width, 900), chromedp.Navigate("file://"+file),
				chromedp.Evaluate("document.documentElement.scrollWidth", &wide),
				chromedp.Evaluate(overlaps, &over),
				chromedp.Evaluate(judge+"; 0", nil),
				chromedp.Evaluate(`axe.run().then(r => JSON.stringify(r.violations.map(v => [v.id, v.help, v.nodes.map(n => n.html.slice(0, 200) + " " + n.failureSummary)])))`,
					&found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
				chromedp.FullScreenshot(&shot, 100))
			if err != nil {
				t.Fatalf("%s, %s: %v", name, look.name, err)
			}
			if err := os.WriteFile(filepath.Join(out, name+"-"+look.name+".png"), shot, 0o644); err != nil {
				t.Fatal(err)
			}
			if found != "[]" {
				t.Errorf("%s, %s: axe-core minds: %s", name, look.name, found)
			}
			if int64(wide) > look.width {
				t.Errorf("%s, %s: the page is %d px wide, the screen %d", name, look.name, wide, look.width)
			}
			if len(over) > 0 {
				t.Errorf("%s, %s: %s", name, look.name, strings.Join(over, "; "))
			}
		}
		var pdf []byte
		if err := chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) (err error) {
			pdf, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).Do(ctx)
			return err
		})); err != nil {
			t.Fatalf("%s as PDF: %v", name, err)
		}
		if err := os.WriteFile(filepath.Join(out, name+".pdf"), pdf, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(said) > 0 {
		text, _ := json.Marshal(said) // strings always are
		t.Errorf("the console said %s", text)
	}
}
