package collect

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/remote"
)

// batch are items asked in one session. Marks on both streams, which no output
// can know beforehand, part the answers.
type batch struct {
	items []Item
	mark  string
	// restricted: for a shell that redirects nothing, marks stand on standard output alone.
	restricted bool
}

func newBatch(items []Item) *batch {
	var salt [16]byte
	rand.Read(salt[:])
	return &batch{items: items, mark: "seaworthy" + hex.EncodeToString(salt[:])}
}

// line is one command line for any Bourne shell. There is no backslash in it
// that the items do not have: it may pass through an echo.
func (b *batch) line() string {
	var s strings.Builder
	if b.restricted {
		for i, it := range b.items {
			fmt.Fprintf(&s, "echo %[1]s b %[2]d; %[3]s; echo %[1]s e %[2]d $?; ", b.mark, i, it.Line)
		}
		return strings.TrimSuffix(s.String(), "; ")
	}
	fmt.Fprintf(&s, "%[1]s() { echo %[1]s $*; echo %[1]s $* >&2; }; ", b.mark)
	for i, it := range b.items {
		fmt.Fprintf(&s, "%[1]s b %[2]d; { %[3]s; } </dev/null; %[1]s e %[2]d $?; ", b.mark, i, it.Line)
	}
	return strings.TrimSuffix(s.String(), "; ")
}

// limit lets the slowest item have its time, and the others a second each: who
// is slower is asked again on his own.
func (b *batch) limit() time.Duration {
	var longest time.Duration
	for _, it := range b.items {
		longest = max(longest, it.Limit)
	}
	return longest + time.Duration(len(b.items))*time.Second
}

// answers are those that came to their end, by place.
func (b *batch) answers(res *remote.Result) map[int]*remote.Result {
	var parts [2]map[int]part
	for i, stream := range [][]byte{res.Stdout, res.Stderr} {
		parts[i] = map[int]part{}
		p := &parted{mark: b.mark, ended: func(e part) { parts[i][e.item] = e }}
		_, _ = p.Write(stream) // never fails
	}
	out := map[int]*remote.Result{}
	for i, text := range parts[0] {
		said, ok := parts[1][i]
		if b.restricted {
			said, ok = part{text: remote.NewOutput(0)}, true
		}
		if ok && i < len(b.items) {
			one := &remote.Result{Exit: text.exit, Start: res.Start, Duration: res.Duration}
			one.Fill(text.text, said.text)
			out[i] = one
		}
	}
	return out
}

// part holds what one stream has between an item's two marks.
type part struct {
	item int
	text *remote.Output
	exit int
}

// parted parts a stream at the marks while it is written.
type parted struct {
	mark  string
	limit int64          // bytes kept of an item
	began func(item int) // nil: nobody asks
	ended func(p part)   // not of an item whose end does not fit its beginning
	held  []byte         // may be the beginning of a mark's line
	in    *part          // the item that prints now
}

func (p *parted) Write(text []byte) (int, error) {
	p.held = append(p.held, text...)
	for p.next() {
	}
	return len(text), nil
}

// next reads up to the end of the next mark's line, and reports whether it was there.
func (p *parted) next() bool {
	word := p.mark + " b "
	if p.in != nil {
		word = p.mark + " e "
	}
	at := bytes.Index(p.held, []byte(word))
	before, whole := max(0, len(p.held)-len(word)+1), false
	var line []byte
	if at >= 0 {
		before = at
		line, _, whole = bytes.Cut(p.held[at+len(word):], []byte("\n"))
	}
	if p.in != nil {
		_, _ = p.in.text.Write(p.held[:before]) // never fails
	}
	if !whole {
		p.held = bytes.Clone(p.held[before:])
		return false
	}
	p.held = p.held[at+len(word)+len(line)+1:]
	if p.in == nil {
		if item, ok := number(string(line)); ok {
			p.in = &part{item: item, text: remote.NewOutput(p.limit)}
			if p.began != nil {
				p.began(item)
			}
		}
		return true
	}
	was := p.in
	p.in = nil
	first, second, _ := strings.Cut(string(line), " ")
	item, ok := number(first)
	exit, valid := number(second)
	if ok && valid && item == was.item {
		was.exit = exit
		p.ended(*was)
	}
	return true
}

// number is one of a mark's line, up to its end.
func number(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n >= 0
}

// most is how many items share a session, and few how many are not worth a
// second one: a login and a shell of root cost as much as some commands.
const (
	most = 32
	few  = 12
)
