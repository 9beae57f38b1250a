package zone

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
)

// senders is how many results are on their way at once.
const senders = 8

// sendAll sends results, and goes on until each is with the hub.
func (c *collector) sendAll(ctx context.Context) {
	for ctx.Err() == nil {
		failed := c.sendThose(ctx, c.spool.waiting())
		if failed != nil && c.nc.IsConnected() && ctx.Err() == nil {
			c.notice("results wait: %v", failed)
		}
		if failed != nil {
			pause(ctx, nil, time.Second)
			continue
		}
		pause(ctx, c.send, time.Second)
	}
}

// sendThose sends results, several at once, and returns an error of one that was not sent.
func (c *collector) sendThose(ctx context.Context, all []*entry) error {
	var mu sync.Mutex
	var failed error
	var over sync.WaitGroup
	todo := make(chan *entry)
	for range min(senders, len(all)) {
		over.Go(func() {
			for e := range todo {
				err := c.sendOne(ctx, e)
				mu.Lock()
				if err != nil {
					failed = fmt.Errorf("%s: %w", e.result.Host, err)
				}
				mu.Unlock()
			}
		})
	}
	for _, e := range all {
		mu.Lock()
		bad := failed
		mu.Unlock()
		if bad != nil || ctx.Err() != nil || !c.nc.IsConnected() {
			break
		}
		todo <- e
	}
	close(todo)
	over.Wait()
	return failed
}

// sendOne sends chunks, the result, and the end of the job, and forgets the result when the
// queue has all three. Each may have been sent before: the queue takes it once.
func (c *collector) sendOne(ctx context.Context, e *entry) error {
	pack, err := c.spool.get(ctx, e)
	if err != nil { // damaged on this disk: the host is read again with the next sweep
		e.result.Pack = nil
		e.result.Error = "read, but lost in the zone's spool"
	}
	ctx, done := context.WithTimeout(ctx, askWait*3)
	defer done()
	var p message.Pack
	var chunks [][]byte
	if e.result.Pack != nil {
		p, chunks = message.Split(pack, e.result.Pack.Unpacked)
	}
	inline := pack
	if len(chunks) > 0 {
		inline = nil
	}
	for i, chunk := range chunks {
		_, err = c.js.Publish(ctx, message.ChunkSubject(c.o.Zone, p.Chunks[i]), chunk, jetstream.WithExpectLastSequencePerSubject(0))
		if err != nil && !queue.Exists(err) {
			return err
		}
	}
	text, err := message.WriteResult(e.result, inline)
	if err != nil {
		return err
	}
	_, err = c.js.Publish(ctx, message.ResultSubject(c.o.Zone), text, jetstream.WithMsgID(e.result.Job+"."+p.Digest))
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.noteSent(e.result.Job)
	t := c.held[e.result.Host]
	c.mu.Unlock()
	if t != nil && t.job.ID == e.result.Job {
		c.mu.Lock()
		newest := t.message
		c.mu.Unlock()
		err = newest.Ack()
		if errors.Is(err, jetstream.ErrMsgAlreadyAckd) { // it may have been lost with a link
			err = c.nc.Publish(newest.Reply(), []byte("+ACK"))
		}
		if err == nil {
			err = c.nc.FlushWithContext(ctx)
		}
		if err != nil {
			return err
		}
		c.mu.Lock()
		if c.held[e.result.Host] == t {
			delete(c.held, e.result.Host)
		}
		c.mu.Unlock()
	}
	return c.spool.drop(e)
}

// noteSent keeps which jobs were sent lately. c.mu is held.
func (c *collector) noteSent(job string) {
	now := time.Now()
	if now.Sub(c.cleared) > sentLately { // not each time: there are as many as hosts
		c.cleared = now
		maps.DeleteFunc(c.sent, func(_ string, at time.Time) bool { return now.Sub(at) > sentLately })
	}
	c.sent[job] = now
}
