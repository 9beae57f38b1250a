package deploy

import (
	"io"
	"strings"
	"sync"
)

// head reads a stream to its end and keeps its first bytes.
type head struct {
	mu   sync.Mutex
	text []byte
}

const headLimit = 4 << 10

func readHead(r io.Reader) *head {
	t := &head{}
	go func() {
		_, _ = io.Copy(t, r) // the end of the session ends it
	}()
	return t
}

func (t *head) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[:min(len(p), headLimit-len(t.text))]...)
	return len(p), nil
}

func (t *head) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
