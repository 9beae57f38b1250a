package collect

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"seaworthy/remote"
)

// batch are items asked in one session. Marks on both streams, which no output
// can know beforehand, part the answers.
type batch struct {
	items []Item
	mark  string
}

func newBatch(items []Item) *batch {
	var salt [16]byte
	rand.Read(salt[:])
	return &batch{items: items, mark: "seaworthy-" + hex.EncodeToString(salt[:])}
}

// line is one command line for any Bourne shell. There is no backslash in it
// that the items do not have: it may pass through an echo.
func (b *batch) line() string {
	var s strings.Builder
	for i, it := range b.items {
		fmt.Fprintf(&s, "echo %[1]s b %[2]d; echo %[1]s b %[2]d >&2; { %[3]s; } </dev/null; "+
			"echo %[1]s e %[2]d $?; echo %[1]s e %[2]d 0 >&2; ", b.mark, i, it.Line)
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
	out := map[int]*remote.Result{}
	for i := range b.items {
		text, tail, ok := b.between(res.Stdout, i)
		if !ok {
			continue
		}
		exit, err := strconv.Atoi(tail)
		said, _, ended := b.between(res.Stderr, i)
		if err != nil || !ended {
			continue
		}
		printed := int64(len(text) + len(said))
		out[i] = &remote.Result{Stdout: text, Stderr: said, Exit: exit, Start: res.Start, Duration: res.Duration, Printed: printed}
	}
	return out
}

// between gives what a stream has between an item's two marks, and what the
// rest of the second one's line.
func (b *batch) between(stream []byte, i int) (text []byte, tail string, ok bool) {
	_, rest, ok := bytes.Cut(stream, fmt.Appendf(nil, "%s b %d\n", b.mark, i))
	if !ok {
		return nil, "", false
	}
	text, rest, ok = bytes.Cut(rest, fmt.Appendf(nil, "%s e %d ", b.mark, i))
	if !ok {
		return nil, "", false
	}
	line, _, ok := bytes.Cut(rest, []byte("\n"))
	return text, strings.TrimSpace(string(line)), ok
}

// most is how many items share a session, and few how many are not worth a
// second one.
const (
	most = 16
	few  = 8
)

// groups parts the items to ask among the sessions. A restricted shell takes
// single commands only.
func (r *runner) groups(items []Item, ask []int) (out [][]int) {
	var open []int
	for _, i := range ask {
		if r.login.restricted() && !(items[i].Root && r.login.elevate) {
			out = append(out, []int{i})
		} else {
			open = append(open, i)
		}
	}
	size := min(most, max(few, (len(open)+r.opts.Sessions-1)/r.opts.Sessions))
	for len(open) > 0 {
		n := min(size, len(open))
		out, open = append(out, open[:n]), open[n:]
	}
	return out
}
