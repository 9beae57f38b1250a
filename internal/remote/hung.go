package remote

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Hung remembers commands on devices that reached their limit. On a sick host such a
// command may still run, stuck in a driver, and each further one would be stuck beside
// it: it is not asked again as long as the program runs. A nil one remembers nothing.
// It is safe for concurrent use.
type Hung struct {
	mu    sync.Mutex
	since map[string]time.Time // host and command → when it was given up
}

// Note takes a command that reached its limit.
func (h *Hung) Note(host, line string) {
	key := onDevice(line)
	if h == nil || key == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since == nil {
		h.since = map[string]time.Time{}
	}
	if _, known := h.since[host+"\x00"+key]; !known {
		h.since[host+"\x00"+key] = time.Now()
	}
}

// NotAskedAgain begins what Err says.
const NotAskedAgain = "not asked again"

// Err is why a command is not to be asked, with ErrTimeout in it; nil: it may be asked.
func (h *Hung) Err(host, line string) error {
	key := onDevice(line)
	if h == nil || key == "" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	since, known := h.since[host+"\x00"+key]
	if !known {
		return nil
	}
	return fmt.Errorf(NotAskedAgain+": %s did not end at %s and may still run there: %w", key, since.Format(time.TimeOnly), ErrTimeout)
}

var deviceWord = regexp.MustCompile(`^[a-z]+[0-9]+$`)

// onDevice is the program of a line and the device that it is about, whatever its
// options are: one that hangs in the driver hangs with any of them. Empty: it is about
// none.
func onDevice(line string) string {
	words := strings.Fields(line)
	for len(words) > 0 && (path.Base(words[0]) == "ioscli" || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	for _, w := range words[1:] {
		if w == "|" || w == ";" {
			break
		}
		if deviceWord.MatchString(w) {
			return path.Base(words[0]) + " " + w
		}
	}
	return ""
}
