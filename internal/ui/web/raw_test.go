package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"seaworthy/internal/ui/web/guard"
)

// raw sends bytes to a server, and gives the status of the first answer and its text;
// 0: the connection was ended without one.
func raw(t *testing.T, address, text string) (status int, answer string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, text) // it may be refused before its end
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body) // of a connection that ends here
	return resp.StatusCode, string(body)
}

// What comes over a connection that no browser sends: refused or answered, and the
// server goes on.
func TestRawRequests(t *testing.T) {
	dir := site(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("a secret of root"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := serving(t, dir, nil)
	l, err := guard.Listen(guard.Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l, "") }()
	address := l.Addr().String()
	get := func(path string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	}
	for name, tt := range map[string]struct {
		text string
		want string // statuses that are right
	}{
		"a page":                                {get("/"), "200"},
		"no Host":                               {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"},
		"two Hosts":                             {"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "400"},
		"another Host":                          {"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "421"},
		"another Host in the line":              {"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "421"},
		"a user in the line":                    {"GET http://localhost@evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "400 421"},
		"a user in Host":                        {"GET / HTTP/1.1\r\nHost: localhost@evil.example\r\nConnection: close\r\n\r\n", "400 421"},
		"Host with a path":                      {"GET / HTTP/1.1\r\nHost: localhost/x\r\nConnection: close\r\n\r\n", "400 421"},
		"Host with a NUL":                       {"GET / HTTP/1.1\r\nHost: localhost\x00\r\nConnection: close\r\n\r\n", "400"},
		"a header that goes on":                 {"GET / HTTP/1.1\r\nHost: localhost\r\n evil.example\r\nConnection: close\r\n\r\n", "400 421"},
		"a blank before the colon":              {"GET / HTTP/1.1\r\nHost : localhost\r\nConnection: close\r\n\r\n", "400"},
		"a length and chunks":                   {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n", "200 400"},
		"two lengths":                           {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 5\r\nConnection: close\r\n\r\n", "400"},
		"a negative length":                     {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\nConnection: close\r\n\r\n", "400"},
		"an odd transfer encoding":              {"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\nConnection: close\r\n\r\n", "400 501"},
		"a header of 200 kB":                    {"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 200_000) + "\r\nConnection: close\r\n\r\n", "431 0"},
		"20,000 headers":                        {"GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X: y\r\n", 20_000) + "\r\n", "431 0"},
		"a line of 200 kB":                      {get("/?q=" + strings.Repeat("x", 200_000)), "431 414 0"},
		"6,000 parameters":                      {get("/?" + strings.Repeat("a=1&", 6000)), "200"},
		"the preface of HTTP/2":                 {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400 421 505 0"},
		"an upgrade to h2c":                     {"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\r\n", "200"},
		"an upgrade to a web socket":            {"GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\nSec-WebSocket-Key: eA==\r\n\r\n", "404"},
		"TLS on a port without":                 {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 100) + "\r\n\r\n", "400 0"},
		"HTTP/0.9":                              {"GET /\r\n\r\n", "400"},
		"HTTP/9.9":                              {"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "400 505"},
		"CONNECT":                               {"CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "400 405 421"},
		"TRACE":                                 {"TRACE / HTTP/1.1\r\nHost: localhost\r\nX-Secret: x\r\nConnection: close\r\n\r\n", "405"},
		"an invented method":                    {"SEAWORTHY / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "405"},
		"a method with a control character":     {"GE\x1bT / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "400"},
		"POST that would change":                {"POST /plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "405"},
		"PUT of a file":                         {"PUT /static/live.js HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "405"},
		"a method by header":                    {"GET / HTTP/1.1\r\nHost: localhost\r\nX-HTTP-Method-Override: DELETE\r\nConnection: close\r\n\r\n", "200"},
		"a way up":                              {get("/static/../../etc/passwd"), "301 307 404"},
		"a way up, encoded":                     {get("/static/%2e%2e%2f%2e%2e%2fetc/passwd"), "301 307 404"},
		"a way up, encoded twice":               {get("/static/%252e%252e%252fetc/passwd"), "404"},
		"a way up by backslashes":               {get(`/static/..\..\etc\passwd`), "404 400"},
		"a way up with a NUL":                   {get("/static/..%00/etc/passwd"), "404 400"},
		"a file elsewhere as result":            {get("/result?file=" + secret), "404"},
		"a file elsewhere as saved":             {get("/saved?file=" + secret), "404"},
		"a way up as host":                      {get("/output?host=../../etc&command=x"), "404"},
		"a command that is none":                {get("/output?host=lpar1&command=cat+" + secret), "404"},
		"two slashes for another server":        {get("//evil.example/%2e%2e"), "301 307 404"},
		"CR LF in the address":                  {get("/?q=a%0d%0aSet-Cookie:%20x=1"), "200"},
		"CR LF in a redirect":                   {get("/static//%0d%0aSet-Cookie:%20x=1"), "301 307 404"},
		"escapes of a terminal in the filter":   {get("/?q=%1b%5b2J%e2%80%ae"), "200"},
		"a script in the filter":                {get("/?q=%3Cscript%3Ealert(1)%3C/script%3E"), "200"},
		"a script as sort":                      {get("/?sort=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"), "200"},
		"a script as id":                        {get("/finding?id=%3Cscript%3Ealert(1)%3C/script%3E"), "404"},
		"bytes that are no UTF-8":               {get("/?q=%ff%fe%00"), "200"},
		"the largest page":                      {get("/?page=9223372036854775807"), "200"},
		"the largest page of findings":          {get("/findings?page=9223372036854775807"), "200"},
		"the largest page of an output":         {get("/output?host=lpar1&command=no+-a&page=9223372036854775807"), "200"},
		"the smallest page":                     {get("/findings?page=-9223372036854775808"), "200"},
		"the largest line of an output":         {get("/output?host=lpar1&command=no+-a&line=9223372036854775807"), "200"},
		"a negative line of an output":          {get("/output?host=lpar1&command=no+-a&line=-9223372036854775808"), "200"},
		"a page from elsewhere that embeds":     {"GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nConnection: close\r\n\r\n", "403"},
		"1,000 questions at once":               {strings.Repeat("GET /rules HTTP/1.1\r\nHost: localhost\r\n\r\n", 1000) + get("/"), "200"},
		"a colon alone":                         {":\r\n\r\n", "400"},
		"64 kB of NULs":                         {strings.Repeat("\x00", 64<<10) + "\r\n\r\n", "400 431 0"},
		"a range of a page":                     {"GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-9223372036854775807\r\nConnection: close\r\n\r\n", "200"},
		"an encoding that there is not":         {"GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br;q=-1, x" + strings.Repeat(",y", 1000) + "\r\nConnection: close\r\n\r\n", "200"},
		"a body where none is asked for":        {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n" + strings.Repeat("x", 1_000_000), "200"},
		"an expectation":                        {"GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n", "417 200"},
		"a trailer that names Host":             {"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: Host\r\nConnection: close\r\n\r\n0\r\nHost: evil\r\n\r\n", "200 400"},
		"a host of 60 kB":                       {"GET / HTTP/1.1\r\nHost: " + strings.Repeat("a", 60_000) + "\r\nConnection: close\r\n\r\n", "421 431"},
		"localhost with a dot":                  {"GET / HTTP/1.1\r\nHost: localhost.\r\nConnection: close\r\n\r\n", "421"},
		"the address as a number":               {"GET / HTTP/1.1\r\nHost: 2130706433\r\nConnection: close\r\n\r\n", "421"},
		"an address of another machine as Host": {"GET / HTTP/1.1\r\nHost: 192.0.2.1\r\nConnection: close\r\n\r\n", "421"},
	} {
		status, body := raw(t, address, tt.text)
		if !strings.Contains(" "+tt.want+" ", fmt.Sprintf(" %d ", status)) {
			t.Errorf("%s: got status %d, want %s:\n%.200s", name, status, tt.want, body)
		}
		hidden := strings.IndexFunc(body, func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) })
		if strings.Contains(body, "a secret of root") || strings.Contains(body, "<script>alert") || strings.Contains(body, "root:") || hidden >= 0 {
			t.Errorf("%s: the answer has what it should not:\n%.300s", name, body)
		}
	}
	if status, _ := raw(t, address, get("/")); status != 200 {
		t.Errorf("afterwards: status %d", status)
	}
	select {
	case err := <-ended:
		t.Errorf("the server ended: %v", err)
	default:
	}
}

// Whatever is asked of a page about lists, one is shown.
func FuzzQuery(f *testing.F) {
	dir := f.TempDir()
	texts := edited(f, strings.Clone)
	imported(f, filepath.Join(dir, "a"), monday, map[string]string{"lpar1": texts["lpar1"]})
	s, _ := serving(f, dir, nil)
	for _, q := range []string{"page=9223372036854775807", "page=-1&sort=host&order=up", "q=%1b[2J&severity=high", "by=system&page=2", "show=waived&rule=R001"} {
		f.Add("/", q)
		f.Add("/findings", q)
		f.Add("/rules", q)
		f.Add("/attributes", q)
		f.Add("/results", q)
		f.Add("/host", "name=lpar1&"+q)
		f.Add("/output", "host=lpar1&command=no+-a&"+q)
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path+query, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			return
		}
		r, err := http.NewRequest(http.MethodGet, "http://localhost"+path+"?"+query, nil)
		if err != nil {
			return
		}
		w := newAnswer()
		s.ServeHTTP(w, r)
		if w.status >= 500 && w.status != http.StatusServiceUnavailable {
			t.Errorf("%s?%s: status %d", path, query, w.status)
		}
		if strings.ContainsFunc(w.text.String(), func(c rune) bool { return c != '\n' && unicode.In(c, unicode.Cc, unicode.Cf) }) {
			t.Errorf("%s?%s: the page has a control character", path, query)
		}
	})
}

// answer holds what a handler says.
type answer struct {
	status int
	head   http.Header
	text   strings.Builder
}

func newAnswer() *answer { return &answer{status: http.StatusOK, head: http.Header{}} }

func (a *answer) Header() http.Header         { return a.head }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.text.Write(b) }
