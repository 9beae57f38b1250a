package web_test

import (
	"flag"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/test/await"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/stream"
)

var soak = flag.Duration("soak", 0, "attack the server for so long (1h), with a look at its resources every twentieth of it; 0: a short attack")

// attackers is how many clients attack at once: more than the server holds connections of.
const attackers = 600

// attacks are what a client may do: each is one connection.
var attacks = map[string]func(c net.Conn, at string){
	"silent":   func(net.Conn, string) {},
	"cut head": func(c net.Conn, _ string) { send(c, "GET / HTTP/1.1\r\nHost: local") },
	"one byte a while": func(c net.Conn, _ string) {
		for _, b := range "GET / HTTP/1.1\r\n" {
			send(c, string(b))
			await.Pause(20 * time.Millisecond)
		}
	},
	"does not read": func(c net.Conn, _ string) {
		send(c, strings.Repeat("GET /findings?show=each HTTP/1.1\r\nHost: localhost\r\n\r\n", 5))
	},
	"leaves a stream": func(c net.Conn, _ string) { send(c, "GET /live/events HTTP/1.1\r\nHost: localhost\r\n\r\n") },
	"long head":       func(c net.Conn, _ string) { send(c, "GET / HTTP/1.1\r\nX: "+strings.Repeat("y", 200_000)) },
	"no HTTP":         func(c net.Conn, _ string) { send(c, "\x16\x03\x01\x02\x00\x01\x00") },
	"body of a GET": func(c net.Conn, _ string) {
		send(c, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\nx")
	},
	"another's name":   func(c net.Conn, _ string) { send(c, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n") },
	"plans and leaves": func(c net.Conn, _ string) { send(c, "GET /plan?all=1 HTTP/1.1\r\nHost: localhost\r\n\r\n") },
}

func send(c net.Conn, text string) { _, _ = io.WriteString(c, text) } // the server may have closed it

// resources are what the process holds at rest.
type resources struct {
	Heap                    uint64 // bytes
	Descriptors, Goroutines int
	Answered                int // pages that people saw since the last look
}

// Under attack people get their pages, and at rest the server holds what it held at the beginning.
func TestSoak(t *testing.T) {
	dir := site(t)
	s, _ := serving(t, dir, stream.Open(t.Context(), watching(make(chan live.Event), func() []string { return nil })))
	l, err := guard.Listen(guard.Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l, "") }() // until the test's end
	at := l.Addr().String()
	turns, turn, clients := 1, 100*time.Millisecond, 3*len(attacks)
	if *soak > 0 {
		turns, turn, clients = 20, *soak/20, attackers
	}
	attack(t, at, turn/10, clients) // what is kept once is kept
	begin := atRest(t)
	t.Logf("begin: %+v", begin)
	for i := range turns {
		answered := attack(t, at, turn, clients)
		now := atRest(t)
		now.Answered = answered
		t.Logf("%s: %+v", time.Duration(i+1)*turn, now)
		if answered == 0 {
			t.Errorf("nobody saw a page in %s", turn)
		}
		if now.Descriptors > begin.Descriptors+5 || now.Goroutines > begin.Goroutines+5 || now.Heap > begin.Heap+16<<20 {
			t.Errorf("at rest after %s: %+v, at the beginning %+v", time.Duration(i+1)*turn, now, begin)
		}
	}
}

// attack lets clients attack for some time while people read, and gives how many pages those saw.
func attack(t *testing.T, at string, during time.Duration, clients int) (answered int) {
	t.Helper()
	end := time.Now().Add(during)
	var kinds []func(net.Conn, string)
	for _, do := range attacks {
		kinds = append(kinds, do)
	}
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := i; time.Now().Before(end); n++ {
				c, err := net.DialTimeout("tcp", at, 5*time.Second)
				if err != nil {
					continue
				}
				kinds[n%len(kinds)](c, at)
				await.Pause(min(time.Until(end), 3*time.Second))
				c.Close()
			}
		})
	}
	person := &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	refused := 0
	for first := true; first || time.Now().Before(end); first = false {
		for _, page := range []string{"/", "/findings", "/host?name=vios1", "/results", "/rules"} {
			resp, err := person.Get("http://" + at + page)
			if err != nil { // it waited longest when others came: a browser asks again
				refused++
				continue
			}
			text, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != http.StatusOK || len(text) == 0 {
				t.Errorf("%s: %s, %d bytes, %v", page, resp.Status, len(text), err)
				continue
			}
			answered++
		}
		await.Pause(min(max(0, time.Until(end)), 500*time.Millisecond))
	}
	all.Wait()
	if refused*20 > answered {
		t.Errorf("%d pages were seen, %d not", answered, refused)
	}
	return answered
}

// atRest waits until the server has let go of what left, and counts what it holds.
func atRest(t *testing.T) resources {
	t.Helper()
	look := func() resources {
		files, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		return resources{Descriptors: len(files), Goroutines: runtime.NumGoroutine()}
	}
	last := look()
	for still := 0; still < 4; { // a second without a change
		await.Pause(250 * time.Millisecond)
		now := look()
		still++
		if now != last {
			still = 0
		}
		last = now
	}
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	last.Heap = m.HeapAlloc
	return last
}
