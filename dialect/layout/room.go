package layout

// Room hands out parts of blocks. A listing of many rows makes many small
// things that live and end together: one block for some of them costs less
// than each on its own. The zero value is ready.
type Room[T any] struct {
	free []T
	next int // size of the next block
}

// A text of a few lines takes little; one of thousands few blocks.
const (
	firstBlock   = 16
	largestBlock = 128
)

// Take gives n zero values in a row, with no room behind them.
func (r *Room[T]) Take(n int) []T {
	if n > len(r.free) {
		r.next = min(max(2*r.next, firstBlock), largestBlock)
		r.free = make([]T, max(n, r.next))
	}
	part := r.free[:n:n]
	r.free = r.free[n:]
	return part
}
