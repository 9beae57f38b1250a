package web

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/store"
)

// request is a question for a page.
type request struct {
	*http.Request
	query
	state *store.State // never nil; of no folders it has nothing
}

// view holds what a template gets.
type view struct {
	Title    string
	Q        query
	At       string // the page's path, for the navigation
	Live     bool   // there are running hosts to watch
	Folders  bool   // there are folders
	Past     bool   // there is a history
	Hub      bool   // there is a fleet's hub
	Progress store.Progress
	Problems []string
	Version  string
	Busy     bool // the page asks again by itself
	Body     any
}

// notThere is an error of the user's: what the address names is not there.
type notThere struct{ text string }

func (e notThere) Error() string { return e.text }

// errReading is when a page needs all hosts, and they are still being read.
var errReading = errors.New("this page needs all hosts, and comes by itself when they are read")

func missing(format string, args ...any) error { return notThere{fmt.Sprintf(format, args...)} }

//go:embed pages
var pages embed.FS

var funcs = template.FuncMap{
	"plural": report.Plural, "when": when, "link": link,
	"meaning": func(class string) string { return knowledge.Class(class).Meaning() },
	"list":    func(words []string) string { return strings.Join(words, ", ") },
	"seconds": func(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) },
	"value":   worded,
	"words":   func(words ...string) []string { return words },
	// severity is of a finding or of a rule: what is printed of it.
	"severity": func(s any) string { return finding.Severity(fmt.Sprint(s)).Word() },
}

func when(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05") + " UTC"
}

// link is an address with a query: link "/host" "name" "lpar1".
func link(path string, pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Add(pairs[i], pairs[i+1])
		}
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// page answers a path with a template of the folder pages, filled by f.
func (s *Server) page(path, name string, f func(*request) (*view, error)) {
	t := template.Must(template.New("").Funcs(funcs).ParseFS(pages, "pages/layout.html", "pages/"+name+".html"))
	fail := template.Must(template.New("").Funcs(funcs).ParseFS(pages, "pages/layout.html", "pages/error.html"))
	s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		ask := &request{Request: r, query: query{r.URL.Path, r.URL.Query()}, state: &store.State{Progress: store.Progress{Phase: store.Ready}}}
		var err error
		if s.o.Store != nil {
			select {
			case <-s.o.Store.Ready():
			case <-time.After(patience): // it shows what was read so far
			}
			var state *store.State
			if state, err = s.o.Store.State(); state != nil {
				ask.state = state
			}
		}
		var v *view
		if err == nil {
			v, err = f(ask)
		}
		status, as := http.StatusOK, t
		if err != nil {
			status, as = http.StatusInternalServerError, fail
			v = &view{Title: "Not shown", Body: err.Error()}
			if e := (notThere{}); errors.As(err, &e) {
				status = http.StatusNotFound
			}
			if errors.Is(err, errReading) {
				// Not 503: the page asks again by itself, and would keep what it shows when it gets an error.
				status, v.Title = http.StatusAccepted, "Still reading"
				w.Header().Set("Retry-After", "1")
			}
		}
		v.Q = ask.query
		v.At = r.URL.Path
		v.Live = s.o.Hub != nil
		v.Folders = s.o.Store != nil
		v.Past = s.o.History != nil
		v.Hub = s.o.Fleet != nil
		v.Version = s.o.Version
		v.Progress, v.Problems = ask.state.Progress, ask.state.Problems
		v.Busy = v.Busy || v.Progress.Phase != store.Ready
		var b bytes.Buffer
		if err := as.ExecuteTemplate(&b, "layout", v); err != nil {
			http.Error(w, "The page could not be made: "+report.Safe(err.Error()), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		guard.Send(w, r, status, plain(b.Bytes()))
	})
}

// requireReading is a page that needs all folders read and audited.
func requireReading(f func(*request) (*view, error)) func(*request) (*view, error) {
	return func(r *request) (*view, error) {
		if r.state.Phase != store.Ready {
			return nil, errReading
		}
		if r.state.Fleet == nil {
			return nil, missing("no folder was named: seaworthy serve DIR shows one")
		}
		return f(r)
	}
}

// plain is the last that happens to a page: of what hosts said, nothing stays
// that is not to be seen or turns letters round, no matter who forgot it.
func plain(text []byte) []byte {
	var b strings.Builder
	b.Grow(len(text))
	for i, line := range strings.Split(string(text), "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(report.Safe(line))
	}
	return []byte(b.String())
}

// printed returns what a report says, as a part of a page.
func printed(fill func(d *report.Document)) (template.HTML, error) {
	var d report.Document
	fill(&d)
	var b bytes.Buffer
	err := doc.WriteHTML(&b, &d)
	return template.HTML(b.String()), err
}

// commandLine is a command as a shell takes it.
func commandLine(words ...string) string {
	for i, w := range words {
		words[i] = shellword.Quote(w)
	}
	return strings.Join(words, " ")
}
