package delay

import "time"

// packet is one that waits.
type packet struct {
	due time.Time
	nth uint64 // in the order of arrival
	id  uint32
}

// way is where packets come from and go to, by index of the ports.
type way struct{ from, to uint32 }

// waiting are packets in the order in which they may go on. On one way none
// overtakes another.
type waiting struct {
	ways map[way][]packet
	nth  uint64
}

func (w *waiting) add(id uint32, on way, due time.Time) {
	if w.ways == nil {
		w.ways = map[way][]packet{}
	}
	if q := w.ways[on]; len(q) > 0 && due.Before(q[len(q)-1].due) {
		due = q[len(q)-1].due
	}
	w.nth++
	w.ways[on] = append(w.ways[on], packet{due, w.nth, id})
}

// first is the way whose first packet may go on before all others; false if none waits.
func (w *waiting) first() (on way, p packet, some bool) {
	for o, q := range w.ways {
		if c := q[0].due.Compare(p.due); !some || c < 0 || c == 0 && q[0].nth < p.nth {
			on, p, some = o, q[0], true
		}
	}
	return on, p, some
}

// next is when the first packet may go on; false if none waits.
func (w *waiting) next() (time.Time, bool) {
	_, p, some := w.first()
	return p.due, some
}

// appendDue appends what may go on now, or all, to the list.
func (w *waiting) appendDue(ids []uint32, now time.Time, all bool) []uint32 {
	for {
		on, p, some := w.first()
		if !some || !all && p.due.After(now) {
			return ids
		}
		ids = append(ids, p.id)
		w.ways[on] = w.ways[on][1:]
		if len(w.ways[on]) == 0 {
			delete(w.ways, on)
		}
	}
}
