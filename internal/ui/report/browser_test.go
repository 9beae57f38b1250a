package report_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"seaworthy/internal/test/browser"
	"seaworthy/internal/test/draw"
)

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
	out := filepath.Join("..", "..", "..", "out", "pages")
	b := browser.Start(t, out)
	dir := t.TempDir()
	all := pages(t)
	for _, name := range draw.OneIn(t, 2, slices.Sorted(maps.Keys(all))) {
		text := all[name]
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b.Open("file://"+file, browser.Looks[0])
		for _, look := range draw.OneIn(t, 3, browser.Looks) {
			var over []string
			b.Show(look)
			b.Run(chromedp.Evaluate(overlaps, &over))
			b.Judge(name, look)
			if len(over) > 0 {
				t.Errorf("%s, %s: %s", name, look.Name, strings.Join(over, "; "))
			}
		}
		var pdf []byte
		b.Run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
			pdf, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).Do(ctx)
			return err
		}))
		if err := os.WriteFile(filepath.Join(out, name+".pdf"), pdf, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.Quiet()
}
