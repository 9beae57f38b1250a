// Package browser opens pages in a real browser for tests, and judges them: the
// console, how accessible they are, and whether they fit the screen.
package browser

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"seaworthy/internal/test/await"
)

// axe is axe-core, which judges how accessible a page is: axe/README.md.
//
//go:embed axe/axe.min.js.gz
var axe []byte

const axeHash = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

// Browser is one with a page.
type Browser struct {
	context.Context
	t    testing.TB
	out  string // where screenshots go
	axe  string
	mu   sync.Mutex
	said []string
}

// Look is a way that a page is looked at.
type Look struct {
	Name   string
	Width  int64
	Scheme string
}

// Looks are those that every page must bear.
var Looks = []Look{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"narrow", 390, "light"}}

// Start starts Chromium, or skips the test where there is none. Screenshots go to
// a folder, which is made.
func Start(t testing.TB, out string) *Browser {
	t.Helper()
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		dir, err := os.MkdirTemp("", "seaworthy-browser-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			await.Until(t, "the browser has left its folder", func() bool { return os.RemoveAll(dir) == nil })
		})
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(dir),
			chromedp.Env("TMPDIR="+dir), chromedp.WSURLReadTimeout(time.Minute),
			chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-software-rasterizer", true))
		ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
		t.Cleanup(stop)
		ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
		t.Cleanup(stop)
		ctx, stop = chromedp.NewContext(ctx)
		t.Cleanup(stop)
		b := &Browser{Context: ctx, t: t, out: out, axe: unpacked(t)}
		chromedp.ListenTarget(ctx, b.listen)
		return b
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no Chromium is installed: apt-get install chromium")
	}
	t.Skip("no Chromium is installed")
	return nil
}

func unpacked(t testing.TB) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(axe))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != axeHash {
		t.Fatalf("axe.min.js has the hash %x, want %s", sum, axeHash)
	}
	return string(text)
}

func (b *Browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.said = append(b.said, string(e.Type))
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.said = append(b.said, e.Entry.Text+" "+e.Entry.URL)
	}
}

// Run carries out actions.
func (b *Browser) Run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// Open opens a page as a look has it.
func (b *Browser) Open(url string, look Look) {
	b.t.Helper()
	b.Run(log.Enable())
	b.Show(look)
	b.Run(chromedp.Navigate(url))
}

// Show gives the page that is open another look.
func (b *Browser) Show(look Look) {
	b.t.Helper()
	b.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.Scheme}}),
		chromedp.EmulateViewport(look.Width, 900))
}

// Until waits until an expression is true on the page. A page's policy may forbid
// chromedp.Poll, which makes a function of a text.
func (b *Browser) Until(expression string) {
	b.t.Helper()
	await.Until(b.t, expression, func() bool {
		var ok bool
		if err := chromedp.Run(b, chromedp.Evaluate("!!("+expression+")", &ok)); err != nil && b.Err() != nil {
			b.t.Fatalf("%s: %v", expression, err)
		}
		return ok
	})
}

// violations hold what axe-core minds, as JSON.
const violations = `axe.run().then(r => JSON.stringify(r.violations.map(v =>
	[v.id, v.help, v.nodes.map(n => n.html.slice(0, 200) + " " + n.failureSummary)])))`

// Judge says what is wrong with the page as it is, and keeps a screenshot.
func (b *Browser) Judge(name string, look Look) {
	b.t.Helper()
	var shot []byte
	var found string
	var has bool
	b.Fits(name, look)
	b.Run(chromedp.Evaluate("!!window.axe", &has))
	if !has {
		b.Run(chromedp.Evaluate(b.axe+"; 0", nil))
	}
	b.Run(
		chromedp.Evaluate(violations, &found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
		chromedp.FullScreenshot(&shot, 85))
	if err := os.WriteFile(filepath.Join(b.out, name+"-"+look.Name+".jpg"), shot, 0o644); err != nil {
		b.t.Fatal(err)
	}
	if found != "[]" {
		b.t.Errorf("%s, %s: axe-core minds: %s", name, look.Name, found)
	}
}

// Fits fails the test if the page is wider than the screen.
func (b *Browser) Fits(name string, look Look) {
	b.t.Helper()
	var wide int64
	b.Run(chromedp.Evaluate("document.documentElement.scrollWidth", &wide))
	if wide > look.Width {
		b.t.Errorf("%s, %s: the page is %d px wide, the screen %d", name, look.Name, wide, look.Width)
	}
}

// Quiet fails the test if the console said anything.
func (b *Browser) Quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.said) > 0 {
		text, _ := json.Marshal(b.said) // strings always are
		b.t.Errorf("the console said %s", text)
	}
}
