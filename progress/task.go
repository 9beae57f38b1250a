package progress

import (
	"context"
	"time"
)

// Task is something that takes its time. A nil Task shows nothing. Its methods may
// be called by several goroutines at once.
type Task struct {
	m *Meter
	state
}

// Begin shows a task until its End. Unit is what is counted, "host"; total 0 is
// unknown. A task may begin within another.
func Begin(ctx context.Context, doing, unit string, total int) *Task {
	t := &Task{Of(ctx), state{doing: doing, unit: unit, total: total, began: time.Now()}}
	if t.m == nil || !t.m.begin(&t.state) {
		return nil
	}
	return t
}

func (t *Task) set(change func()) {
	if t == nil {
		return
	}
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	change()
}

// Step says that one more is done, and which.
func (t *Task) Step(now string) { t.set(func() { t.done, t.now = t.done+1, now }) }

// At says how many are done, of how many as far as is known now.
func (t *Task) At(done, total int) { t.set(func() { t.done, t.total = done, total }) }

// AtMost is At where the total is the most that it may take.
func (t *Task) AtMost(done, total int) { t.set(func() { t.done, t.total, t.most = done, total, true }) }

// LinePerUnit has a line without a terminal when one more is done, and none in between.
func (t *Task) LinePerUnit() { t.set(func() { t.news = true }) }

// Now says what is being done.
func (t *Task) Now(text string) { t.set(func() { t.now = text }) }

// Share says which part of the work is done, 0 to 1, if what is counted does not.
func (t *Task) Share(part float64) { t.set(func() { t.share = part }) }

// Until says when the task ends, if that is known.
func (t *Task) Until(at time.Time) { t.set(func() { t.until = at }) }

// Failed names one that failed.
func (t *Task) Failed(name string) { t.set(func() { t.failed = append(t.failed, name) }) }

// End takes the task away. A second End does nothing.
func (t *Task) End() {
	if t != nil {
		t.m.end(&t.state)
	}
}
