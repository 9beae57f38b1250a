// Package lzwtest writes .Z files for tests: no machine can be relied on to
// have the command compress.
package lzwtest

// Compress packs bytes as compress -b WIDTH does, in block mode but without
// ever clearing the table.
func Compress(plain []byte, width uint) []byte {
	out := []byte{0x1f, 0x9d, 0x80 | byte(width)}
	if len(plain) == 0 {
		return out
	}
	type pair struct {
		prefix int
		suffix byte
	}
	table := map[pair]int{}
	next, bits := 257, uint(9)
	var group []byte
	var used uint
	flush := func(whole bool) {
		n := (used + 7) / 8
		if whole {
			n = bits
		}
		for uint(len(group)) < n {
			group = append(group, 0)
		}
		out = append(out, group[:n]...)
		group, used = nil, 0
	}
	emit := func(code int) {
		for i := range bits {
			if at := used + i; at/8 >= uint(len(group)) {
				group = append(group, 0)
			}
			group[(used+i)/8] |= byte(code>>i&1) << ((used + i) % 8)
		}
		if used += bits; used == bits*8 {
			flush(true)
		}
	}
	now := int(plain[0])
	for _, b := range plain[1:] {
		if code, ok := table[pair{now, b}]; ok {
			now = code
			continue
		}
		emit(now)
		if next < 1<<width {
			table[pair{now, b}] = next
			next++
			// The reader is one sequence behind and widens one code later.
			if next-1 > 1<<bits-1 && bits < width {
				if used > 0 {
					flush(true)
				}
				bits++
			}
		}
		now = int(b)
	}
	emit(now)
	if used > 0 {
		flush(false)
	}
	return out
}
