package guard

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Clients that connect and say nothing, little, or nothing more keep nobody out, and an answer that is under way is
// not cut off for one more.
func TestLimit(t *testing.T) {
	const most = 4
	begun, goOn := make(chan bool, most), make(chan bool)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			begun <- true
			<-goOn
		}
		_, _ = io.WriteString(w, "here")
	}))
	limit(server.Config, most)
	server.Start()
	defer server.Close()
	connect := func(text string) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		return c
	}
	answered := func(c net.Conn) bool {
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return false
		}
		text, err := io.ReadAll(resp.Body)
		return err == nil && string(text) == "here"
	}
	const ask, slow = "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, text := range []string{"", "GET / HTT", ask} {
		first := connect(text)
		if text == ask && !answered(first) {
			t.Fatal("no answer")
		}
		for range 2 * most {
			connect(text)
		}
		if !answered(connect(ask)) {
			t.Errorf("beside %d connections that sent %q: no answer", 2*most, text)
		}
		if _, err := first.Read(make([]byte, 1)); err != io.EOF {
			if e, ok := err.(net.Error); ok && e.Timeout() {
				t.Errorf("the first connection that sent %q is still open", text)
			}
		}
	}
	var busy []net.Conn
	for range most {
		busy = append(busy, connect(slow))
		<-begun
	}
	if answered(connect(ask)) {
		t.Errorf("a connection more than %d that are being answered was answered", most)
	}
	close(goOn)
	for i, c := range busy {
		if !answered(c) {
			t.Errorf("answer %d was cut off", i)
		}
	}
}

// Of few open files half are left for what is served.
func TestConnectionsFor(t *testing.T) {
	for files, want := range map[uint64]int{0: 500, 1: 1, 64: 32, 1024: 500, 1 << 63: 500} {
		if got := connectionsFor(files); got != want {
			t.Errorf("%d open files: got %d connections, want %d", files, got, want)
		}
	}
}
