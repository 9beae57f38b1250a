package guard_test

import (
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/ui/web/guard"
)

var hello = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { guard.Send(w, r, 200, []byte("hello")) })

func TestRequests(t *testing.T) {
	l, err := guard.Listen(guard.Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	const token = "a token of enough length"
	for _, tt := range []struct {
		name, method, host, token string
		header                    map[string]string
		want                      int
	}{
		{"by address", "GET", "127.0.0.1:8765", "", nil, 200},
		{"by name, through another port", "GET", "localhost:9000", "", nil, 200},
		{"IPv6", "GET", "[::1]:8765", "", nil, 200},
		{"head", "HEAD", "localhost", "", nil, 200},
		{"a name bound again", "GET", "evil.example:8765", "", nil, 421},
		{"a name that begins alike", "GET", "localhost.evil.example", "", nil, 421},
		{"no name", "GET", "", "", nil, 421},
		{"post", "POST", "localhost", "", nil, 405},
		{"delete", "DELETE", "localhost", "", nil, 405},
		{"a page elsewhere loads it", "GET", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"a link elsewhere leads to it", "GET", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"no token", "GET", "localhost", token, nil, 401},
		{"another token", "GET", "localhost", token, map[string]string{"Authorization": "Bearer " + token + "x"}, 401},
		{"an empty bearer", "GET", "localhost", token, map[string]string{"Authorization": "Bearer "}, 401},
		{"token as bearer", "GET", "localhost", token, map[string]string{"Authorization": "Bearer " + token}, 200},
		{"token of a wrong name", "GET", "evil.example", token, map[string]string{"Authorization": "Bearer " + token}, 421},
	} {
		r := httptest.NewRequest(tt.method, "/", nil)
		r.Host = tt.host
		for k, v := range tt.header {
			r.Header.Set(k, v)
		}
		w := httptest.NewRecorder()
		l.Handler(tt.token, hello).ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, w.Code, tt.want)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", tt.name, policy)
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Host = "localhost"
	r.SetBasicAuth("anybody", token)
	w := httptest.NewRecorder()
	l.Handler(token, hello).ServeHTTP(w, r)
	if w.Code != 200 {
		t.Errorf("the token as a password: got %d", w.Code)
	}
}

func TestSend(t *testing.T) {
	long := strings.Repeat("a line of text\n", 1000)
	for _, tt := range []struct {
		accept, body string
		packed       bool
	}{{"gzip, br", long, true}, {"", long, false}, {"gzip", "short", false}} {
		r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", tt.accept)
		guard.Send(w, r, 200, []byte(tt.body))
		got := w.Body.Bytes()
		if packed := w.Header().Get("Content-Encoding") == "gzip"; packed != tt.packed {
			t.Errorf("%q: packed %v", tt.accept, packed)
		} else if packed {
			z, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if string(got) != tt.body {
			t.Errorf("%q: another text", tt.accept)
		}
	}
}

// certificate makes one for some names.
func certificate(t *testing.T, names ...string) (cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: names, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, x, x, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// Beyond this machine there is no listening without TLS and a token.
func TestBeyond(t *testing.T) {
	cert, key := certificate(t, "pages.example")
	for _, address := range []string{"0.0.0.0:0", "[::]:0", ":0", "192.0.2.1:0", "pages.example:0"} {
		if l, err := guard.Listen(guard.Options{Address: address, Token: "token"}); !errors.Is(err, guard.ErrNeedsTLS) {
			t.Errorf("%s without TLS: got %v, %v", address, l, err)
		}
		if l, err := guard.Listen(guard.Options{Address: address, Cert: cert, Key: key}); !errors.Is(err, guard.ErrNeedsToken) {
			t.Errorf("%s without a token: got %v, %v", address, l, err)
		}
	}
	nameless, its := certificate(t)
	if l, err := guard.Listen(guard.Options{Address: "0.0.0.0:0", Cert: nameless, Key: its, Token: "token"}); !errors.Is(err, guard.ErrNamesNone) {
		t.Errorf("a certificate for no host: got %v, %v", l, err)
	}
	l, err := guard.Listen(guard.Options{Address: "0.0.0.0:0", Cert: cert, Key: key, Token: "token"})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: l.Handler("token", hello), ReadHeaderTimeout: time.Second}
	go server.Serve(l)
	defer server.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if want := "https://pages.example:" + port + "/"; l.URL != want {
		t.Errorf("got the URL %s, want %s: no browser opens 0.0.0.0", l.URL, want)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for host, want := range map[string]int{"pages.example": 200, "pages.example:" + port: 200, "evil.example": 421, "localhost": 421} {
		r, err := http.NewRequest("GET", "https://127.0.0.1:"+port+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.SetBasicAuth("", "token")
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("as %s: got %d, want %d", host, resp.StatusCode, want)
		}
	}
}

// withDeadline is an answer that notes until when it may be written.
type withDeadline struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (w *withDeadline) SetWriteDeadline(until time.Time) error {
	w.until = until
	return nil
}

// A reader who does not read has an end.
func TestSendHasADeadline(t *testing.T) {
	w := &withDeadline{ResponseRecorder: httptest.NewRecorder()}
	guard.Send(w, httptest.NewRequest("GET", "/", nil), 200, []byte("a page"))
	if left := time.Until(w.until); left <= 0 || left > time.Minute {
		t.Errorf("the answer may be written until %s, in %s", w.until, left)
	}
}

// An address without a file would be an abstract socket, which has no permissions.
func TestSocketWithoutAFile(t *testing.T) {
	for _, address := range []string{"unix:", "unix:@", "unix:@seaworthy", "unix:\x00seaworthy"} {
		l, err := guard.Listen(guard.Options{Address: address})
		if !errors.Is(err, guard.ErrNoPath) {
			t.Errorf("%q: got %v, want it refused", address, err)
		}
		if l != nil {
			l.Close()
		}
	}
}

func TestSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "sw") // short, for the socket's path
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	l, err := guard.Listen(guard.Options{Address: "unix:" + path})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket's mode: got %v, %v, want 0600", info.Mode(), err)
	}
	if _, err := guard.Listen(guard.Options{Address: "unix:" + path}); err == nil || !strings.Contains(err.Error(), "another server") {
		t.Errorf("a second server: got %v", err)
	}
	l.Close()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := guard.Listen(guard.Options{Address: "unix:" + path}); err == nil {
		t.Error("a file that is no socket was replaced")
	}
}
