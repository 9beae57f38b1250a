package delay

import (
	"container/heap"
	"time"
)

// packet is one that waits.
type packet struct {
	due time.Time
	nth uint64 // in the order of arrival
	id  uint32
}

func (p packet) before(o packet) bool {
	return p.due.Before(o.due) || p.due.Equal(o.due) && p.nth < o.nth
}

// way is where packets come from and go to, by index of the ports.
type way struct{ from, to uint32 }

// packets are a heap, the first to go on at its root.
type packets []packet

func (p packets) Len() int           { return len(p) }
func (p packets) Less(i, j int) bool { return p[i].before(p[j]) }
func (p packets) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *packets) Push(x any)        { *p = append(*p, x.(packet)) }

func (p *packets) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// waiting are packets in the order in which they may go on. On one way none
// overtakes another.
type waiting struct {
	heap packets
	nth  uint64
	last map[way]time.Time // when the last packet of a way may go on
}

func (w *waiting) add(id uint32, on way, due time.Time) {
	if w.last == nil {
		w.last = map[way]time.Time{}
	}
	if last := w.last[on]; due.Before(last) {
		due = last
	}
	w.last[on] = due
	w.nth++
	heap.Push(&w.heap, packet{due, w.nth, id})
}

// next is when the first packet may go on; false if none waits.
func (w *waiting) next() (time.Time, bool) {
	if len(w.heap) == 0 {
		clear(w.last) // ways that are used no more
		return time.Time{}, false
	}
	return w.heap[0].due, true
}

// take appends what may go on now, or all, to the list.
func (w *waiting) take(ids []uint32, now time.Time, all bool) []uint32 {
	for len(w.heap) > 0 && (all || !w.heap[0].due.After(now)) {
		ids = append(ids, heap.Pop(&w.heap).(packet).id)
	}
	return ids
}
