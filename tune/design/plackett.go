package design

// First rows of the cyclic designs of Plackett and Burman (Biometrika 33, 1946),
// by their number of runs.
var plackettBurmanRows = []string{
	"++-+++---+-",
	"++--++++-+-+----++-",
	"+++++-+-++--++--+-+----",
}

// plackettBurman gives the smallest of the designs that takes k factors, and its
// foldover, in which every run is mirrored; nil if k is too many. The sizes in
// between are powers of two, where a regular fraction is as small.
func plackettBurman(k int) [][]bool {
	for _, first := range plackettBurmanRows {
		n := len(first)
		if k > n {
			continue
		}
		rows := make([][]bool, 2*(n+1))
		for r := range n + 1 {
			for c := range k {
				high := r < n && first[(c+n-r)%n] == '+' // each row is the one before, moved by one; the last is all low
				rows[r], rows[n+1+r] = append(rows[r], high), append(rows[n+1+r], !high)
			}
		}
		return rows
	}
	return nil
}
