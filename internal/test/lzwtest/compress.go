// Package lzwtest writes .Z files for tests: no machine can be relied on to
// have the command compress.
package lzwtest

// Compress packs bytes as compress -b WIDTH does, in block mode but without
// ever clearing the table.
func Compress(plain []byte, width uint) []byte {
	out := []byte{0x1f, 0x9d, 0x80 | byte(width)}
	bits, codes := uint(9), 0
	held, used := uint64(0), uint(0) // bits that do not fill a byte yet
	emit := func(code int) {
		held |= uint64(code) << used
		codes++
		used += bits
		for used >= 8 {
			out, held = append(out, byte(held)), held>>8
			used -= 8
		}
	}
	table := map[[2]int]int{} // code of what one code and a byte after it stand for
	next, now := 257, 0
	for i, b := range plain {
		longer := [2]int{now, int(b)}
		code, known := table[longer]
		if i == 0 {
			now = int(b)
			continue
		} else if known {
			now = code
			continue
		}
		emit(now)
		now = int(b)
		if next == 1<<width {
			continue
		}
		table[longer] = next
		next++
		// The reader is one sequence behind and widens one code later.
		if next > 1<<bits && bits < width {
			for codes%8 != 0 { // codes of one width come in groups of eight
				emit(0)
			}
			bits++
		}
	}
	if len(plain) > 0 {
		emit(now)
	}
	if used > 0 {
		out = append(out, byte(held))
	}
	return out
}
