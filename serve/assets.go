package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"net/http"
	"path"
	"strings"

	"seaworthy/report"
	"seaworthy/serve/guard"
)

//go:embed assets
var assets embed.FS

// static serves what pages load: the sheet of the reports, and the folder
// assets. A browser keeps it and asks whether it changed.
func static() http.Handler {
	type file struct {
		text []byte
		kind string
	}
	files := map[string]file{"report.css": {[]byte(report.Style()), "text/css; charset=utf-8"}}
	for _, name := range []string{
		"serve.css", "serve.js", "live.js", "icon.svg", "vendor/htmx.min.js", "vendor/uPlot.iife.min.js", "vendor/uPlot.min.css",
	} {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is in the program
		}
		kinds := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
		files[path.Base(name)] = file{text, kinds[path.Ext(name)]}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[strings.TrimPrefix(r.URL.Path, "/static/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		tag := fmt.Sprintf(`"%.12x"`, sha256.Sum256(f.text))
		h.Set("Content-Type", f.kind)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		guard.Send(w, r, http.StatusOK, bytes.TrimSpace(f.text))
	})
}
