package remote

import "sync"

// Output keeps the first bytes written to it, up to a limit, and only counts
// the rest, so that a host that never stops printing costs time but no memory.
// It is safe to read while a writer is still at work: a command that reached
// its limit leaves what it printed so far.
type Output struct {
	mu    sync.Mutex
	limit int64
	kept  []byte
	total int64
}

// NewOutput returns an Output that keeps limit bytes; 0 means DefaultMaxOutput.
func NewOutput(limit int64) *Output {
	if limit <= 0 {
		limit = DefaultMaxOutput
	}
	return &Output{limit: limit}
}

// Write never fails and never writes short.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.total += int64(len(p))
	if room := o.limit - int64(len(o.kept)); room > 0 {
		o.kept = append(o.kept, p[:min(room, int64(len(p)))]...)
	}
	return len(p), nil
}

// Bytes is a copy of what was kept so far.
func (o *Output) Bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]byte(nil), o.kept...)
}

// Total is how many bytes were written, kept or not.
func (o *Output) Total() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.total
}

// Fill copies two outputs into a result.
func (r *Result) Fill(stdout, stderr *Output) {
	r.Stdout, r.Stderr = stdout.Bytes(), stderr.Bytes()
	r.Printed = stdout.Total() + stderr.Total()
	r.Truncated = r.Printed > int64(len(r.Stdout)+len(r.Stderr))
}
