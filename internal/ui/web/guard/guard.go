package guard

import (
	"compress/gzip"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// policy holds what a page may load and do: only what this server sends.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// Handler lets through what may ask, and adds what every answer says. An empty
// token is not asked for.
func (l *Listener) Handler(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store") // what hosts said does not stay in a browser's cache
		switch {
		case !l.names.allow(r.Host):
			http.Error(w, fmt.Sprintf("This server is not %q: open %s", r.Host, l.URL), http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "This server changes nothing: it answers GET and HEAD.", http.StatusMethodNotAllowed)
		case token != "" && !authorised(r, want):
			h.Set("WWW-Authenticate", `Basic realm="seaworthy: any user, the token as password", charset="UTF-8"`)
			http.Error(w, "The token is missing or wrong: it is the password, for any user name.", http.StatusUnauthorized)
		case r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate":
			http.Error(w, "A page elsewhere asked for this.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// authorised says whether a request has the token: as the password of Basic, so
// that a browser asks for it, or as a bearer's.
func authorised(r *http.Request, want [sha256.Size]byte) bool {
	_, given, ok := r.BasicAuth()
	if !ok {
		given, ok = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	got := sha256.Sum256([]byte(given))
	return ok && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// sendWithin bounds how long a reader may take for an answer, so that one that
// does not read holds no memory for ever.
const sendWithin = 30 * time.Second

// Send writes an answer, compressed for browsers that take that.
func Send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendWithin)) // a listener that cannot is none of ours
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if len(body) < 1024 || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(status)
		_, _ = w.Write(body) // a reader that went away is not an error of ours
		return
	}
	h.Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed+2) // the level is one that there is
	_, _ = z.Write(body)
	_ = z.Close()
}
