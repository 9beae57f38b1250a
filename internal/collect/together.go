package collect

import (
	"context"
	"io"
	"sync"
	"time"

	"seaworthy/internal/remote"
)

// ask runs a batch's line on a host and gives each answer as it comes. An item that
// reaches its own limit ends the session with ErrTimeout; it is the first one without
// an answer. heard is false where no item began, as on a host that takes no such line.
func (b *batch) ask(
	ctx context.Context, h remote.Host, line string, kept int64, answer func(i int, res *remote.Result),
) (heard bool, err error) {
	ctx, renew, stop := remote.Renewed(ctx, b.items[0].Limit)
	defer stop()
	s, err := h.Start(ctx, line)
	if err != nil {
		return false, err
	}
	s.Stdin.Close()
	l := &listener{batch: b, renew: renew, answer: answer, since: time.Now(), texts: map[int]*remote.Result{},
		said: map[int]*remote.Output{}, loose: remote.NewOutput(kept)}
	var mu sync.Mutex
	over := false
	tell := func(f func()) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			f()
		}
	}
	stdout := &parted{mark: b.mark, limit: kept, began: func(i int) { tell(func() { l.began(i) }) },
		ended: func(p part) { tell(func() { l.printed(p) }) }}
	var stderr io.Writer = l.loose
	if !b.restricted {
		stderr = &parted{mark: b.mark, limit: kept, ended: func(p part) { tell(func() { l.complained(p) }) }}
	}
	read := make(chan struct{}, 2)
	keep := func(to io.Writer, from io.Reader) {
		_, _ = io.Copy(to, from) // how it ended is said by Wait
		read <- struct{}{}
	}
	go keep(stdout, s.Stdout)
	go keep(stderr, s.Stderr)
	_, err = s.Wait()
	for range 2 {
		select {
		case <-read:
		case <-ctx.Done():
		}
	}
	tell(func() {
		over = true
		l.end()
	})
	return l.heard, err
}

// listener puts the two streams of a batch together.
type listener struct {
	*batch
	renew  func(time.Duration)
	answer func(i int, res *remote.Result)
	heard  bool
	since  time.Time // the item that runs began
	texts  map[int]*remote.Result
	said   map[int]*remote.Output
	loose  *remote.Output // restricted: standard error of all items
}

func (l *listener) began(i int) {
	if i < len(l.items) {
		l.heard, l.since = true, time.Now()
		l.renew(l.items[i].Limit)
	}
}

// printed is the end of an item on standard output.
func (l *listener) printed(p part) {
	if p.item >= len(l.items) {
		return
	}
	res := &remote.Result{Exit: p.exit, Start: l.since, Duration: time.Since(l.since)}
	res.Fill(p.text, remote.NewOutput(1))
	l.texts[p.item] = res
	if next := p.item + 1; next < len(l.items) {
		l.renew(l.items[next].Limit)
	} else {
		l.renew(remote.DefaultLimit) // for the end of the shell
	}
	l.pair(p.item)
}

// complained is its end on standard error.
func (l *listener) complained(p part) {
	l.said[p.item] = p.text
	l.pair(p.item)
}

func (l *listener) pair(i int) {
	res, said := l.texts[i], l.said[i]
	if res == nil || said == nil {
		return
	}
	delete(l.texts, i)
	res.Stderr, res.Printed = said.Bytes(), res.Printed+said.Total()
	res.Truncated = res.Printed > int64(len(res.Stdout)+len(res.Stderr))
	l.answer(i, res)
}

// end gives the answers of a restricted shell. Where somebody complained those that
// succeeded are taken, or none if all did: who is left out is asked alone.
func (l *listener) end() {
	if !l.restricted {
		return
	}
	failed := false
	for _, res := range l.texts {
		failed = failed || res.Exit != 0
	}
	for i, res := range l.texts {
		if l.loose.Total() == 0 || failed && res.Exit == 0 {
			l.answer(i, res)
		}
	}
}
