package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/store"
	"seaworthy/internal/ui/web/stream"
)

// Options say what is shown.
type Options struct {
	Store   *store.Store // nil: no folders
	Hub     *stream.Hub  // nil: no running hosts
	Words   []string     // arguments by which a command finds the hosts; nil: the folders that hold them
	History OpenHistory
	Fleet   Fleet    // nil: no hub; it needs History
	Running []string // arguments by which a command finds the running hosts; nil: it needs none
	Rules   []knowledge.Rule
	Set     *rule.Set // of the rules
	Version string
}

// OpenHistory opens the history for one answer, which closes it; nil: there is none.
type OpenHistory func(ctx context.Context) (*history.Store, error)

// longestAnswer bounds a request from its head to the end of its answer.
const longestAnswer = 5 * time.Minute

// Server answers with pages. Its context ends what it computes and streams.
type Server struct {
	o    Options
	ctx  context.Context
	jobs *jobs
	mux  *http.ServeMux
}

// New makes a server of pages.
func New(ctx context.Context, o Options) *Server {
	s := &Server{o: o, ctx: ctx, jobs: newJobs(ctx), mux: http.NewServeMux()}
	catalogue := &cataloguePages{known: o.Rules}
	recorded := &historyPages{open: o.History, jobs: s.jobs}
	watched := &livePages{ctx: ctx, hub: o.Hub}
	scraped := s.serveMetrics
	if o.Fleet != nil {
		p := newFleetPages(s)
		scraped = p.serveMetrics
		s.page("/{$}", "fleet", p.fleet)
	}
	switch {
	case o.Fleet != nil:
	case o.Store != nil:
		s.page("/{$}", "overview", s.overview)
	case o.Hub == nil && o.History != nil:
		s.page("/{$}", "history", recorded.history)
	default:
		s.page("/{$}", "live", watched.live)
	}
	s.page("/history", "history", recorded.history)
	s.page("/history/lines", "historylines", recorded.lines)
	s.page("/host", "host", requireReading(s.host))
	s.page("/findings", "findings", requireReading(s.findings))
	s.page("/finding", "finding", requireReading(s.finding))
	s.page("/output", "output", requireReading(s.output))
	s.page("/path", "path", requireReading(s.path))
	s.page("/diagnose", "diagnose", requireReading(s.diagnose))
	s.page("/map", "map", requireReading(s.vlans))
	s.page("/plan", "plan", requireReading(s.plan))
	s.page("/results", "results", requireReading(s.results))
	s.page(store.MeasuredPage, "result", requireReading(s.result))
	s.page(store.PlannedPage, "plan", requireReading(s.saved))
	s.page(store.RehearsedPage, "rehearsal", requireReading(s.rehearsal))
	s.page("/drift", "drift", requireReading(s.drift))
	s.page("/rules", "rules", catalogue.rules)
	s.page("/rule", "printed", catalogue.rule)
	s.page("/attributes", "attributes", catalogue.attributes)
	s.page("/attribute", "printed", catalogue.attribute)
	s.page("/live", "live", watched.live)
	s.page("/", "printed", func(*request) (*view, error) { return nil, missing("there is no such page") })
	s.mux.HandleFunc("/live/events", watched.events)
	s.mux.HandleFunc("/live/past", watched.past)
	s.mux.HandleFunc("/metrics", scraped)
	s.mux.Handle("/static/", static())
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Serve answers on a listener until the context ends.
func (s *Server) Serve(l *guard.Listener, token string) error {
	h := &http.Server{
		Handler: l.Handler(token, s), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		WriteTimeout:   longestAnswer, // an answer has less once it is made
		MaxHeaderBytes: 64 << 10,
	}
	guard.Limit(h, collect.OpenFiles())
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-s.ctx.Done():
	}
	grace, stop := context.WithTimeout(context.WithoutCancel(s.ctx), 300*time.Millisecond)
	defer stop()
	err := h.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close() // somebody is still reading a page
	}
	return err
}

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
