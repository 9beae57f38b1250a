package delay

import "time"

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

// waiting are packets in the order in which they may go on: a heap. On one way
// none overtakes another.
type waiting struct {
	heap []packet
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
	w.heap = append(w.heap, packet{due, w.nth, id})
	for i := len(w.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !w.heap[i].before(w.heap[up]) {
			break
		}
		w.heap[i], w.heap[up] = w.heap[up], w.heap[i]
		i = up
	}
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
		ids = append(ids, w.heap[0].id)
		w.remove()
	}
	return ids
}

// remove takes the first packet out.
func (w *waiting) remove() {
	end := len(w.heap) - 1
	w.heap[0] = w.heap[end]
	w.heap = w.heap[:end]
	for i := 0; ; {
		first := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < end && w.heap[child].before(w.heap[first]) {
				first = child
			}
		}
		if first == i {
			return
		}
		w.heap[i], w.heap[first] = w.heap[first], w.heap[i]
		i = first
	}
}
