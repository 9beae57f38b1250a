package detect

import (
	"hash/maphash"
	"sync"
)

// While a text is taken apart the same part of it is asked about again and again, by each way to take it apart: answers are
// remembered, as far as they are few. They depend on nothing but the text and the hint.

// Bounds of what is remembered: answers, and bytes of the texts that they may hold.
const (
	mostRemembered = 4096
	mostHeld       = 32 << 20
)

// question is what Text was asked, by the hash of the text.
type question struct {
	hash uint64
	size int
	hint Hint
}

// memo remembers answers of Text.
type memo struct {
	seed    maphash.Seed
	mu      sync.Mutex
	answers map[question]*Found // nil: no entry fits it
	held    int                 // bytes
}

func newMemo() *memo { return &memo{seed: maphash.MakeSeed(), answers: map[question]*Found{}} }

var remembered = newMemo()

// text is what a text is: as remembered, or as found out now. The caller may change what it gets.
func (m *memo) text(text []byte, hint Hint) (*Found, bool) {
	q := question{maphash.Bytes(m.seed, text), len(text), hint}
	m.mu.Lock()
	f, known := m.answers[q]
	m.mu.Unlock()
	if !known {
		f = find(text, hint)
		m.mu.Lock()
		if len(m.answers) >= mostRemembered || m.held > mostHeld {
			clear(m.answers)
			m.held = 0
		}
		m.answers[q] = f
		m.held += len(text)
		m.mu.Unlock()
	}
	if f == nil {
		return nil, false
	}
	own := *f
	return &own, true
}
