package post_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"seaworthy/internal/base/post"
)

func TestSend(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []int // the last again and again
		within  time.Duration
		tries   int32  // 0: several
		want    string // part of the error; empty: none
	}{
		{"taken", []int{200}, time.Second, 1, ""},
		{"not ready at first", []int{503, 500, 204}, 20 * time.Second, 3, ""},
		{"refused", []int{400}, 20 * time.Second, 1, "HTTP 400 Bad Request: answer"},
		{"unauthorised", []int{401}, 20 * time.Second, 1, "HTTP 401"},
		{"redirected", []int{307}, 20 * time.Second, 1, "HTTP 307"},
		{"never ready", []int{500}, 700 * time.Millisecond, 0, "HTTP 500 Internal Server Error: answer (tried "},
		{"slow down", []int{429, 200}, 20 * time.Second, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := int(tries.Add(1))
				body, err := io.ReadAll(r.Body)
				if err != nil || string(body) != "text" || r.Header.Get("Authorization") != "Bearer SECRET" {
					t.Errorf("got %q, %v, %v", body, err, r.Header)
				}
				if r.URL.Path != "/SECRET" {
					t.Errorf("%s was followed to", r.URL)
				}
				w.Header().Set("Location", "/elsewhere")
				status := c.answers[min(n, len(c.answers))-1]
				if status == http.StatusTooManyRequests {
					w.Header().Set("Retry-After", "1")
				}
				w.WriteHeader(status)
				if status != http.StatusNoContent {
					_, _ = io.WriteString(w, "answer\n")
				}
			}))
			defer server.Close()
			begun := time.Now()
			err := post.Send(t.Context(), post.Message{URL: server.URL + "/SECRET?key=SECRET", Auth: "Bearer SECRET", Body: []byte("text"), Within: c.within})
			took := time.Since(begun)
			if c.tries > 0 && tries.Load() != c.tries {
				t.Errorf("tried %d times, want %d", tries.Load(), c.tries)
			}
			if took > c.within+5*time.Second {
				t.Errorf("took %s, want at most %s", took, c.within)
			}
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "SECRET")) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A server that is not there is named, and nothing else of its URL.
func TestNobody(t *testing.T) {
	t.Parallel()
	err := post.Send(t.Context(), post.Message{URL: "http://me:SECRET@127.0.0.1:1/SECRET", Within: 300 * time.Millisecond})
	if err == nil || strings.Contains(err.Error(), "SECRET") || !strings.HasPrefix(err.Error(), "http://127.0.0.1:1: ") {
		t.Errorf("got %v", err)
	}
}

func TestCheck(t *testing.T) {
	for _, wrong := range []string{"", "x", "file:///SECRET", "http://", "ftp://SECRET", "http://%zz/SECRET"} {
		err := post.Check(wrong)
		if err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%q: got %v", wrong, err)
		}
	}
	err := post.Check("https://chat.example.com/hooks/1")
	if err != nil {
		t.Error(err)
	}
}
