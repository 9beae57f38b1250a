package nfnl

import "testing"

func TestQueueLosses(t *testing.T) {
	const two = "    1  14418     3 1     0    17     4     3501  1\n    2   9000     0 1     0     0     0        9  1\n"
	for _, x := range []struct {
		text   string
		number uint16
		want   uint64
		ok     bool
	}{
		{two, 1, 21, true}, {two, 2, 0, true}, {two, 3, 0, false}, {"", 1, 0, false},
		{"1 2 3\n", 1, 0, false}, {"1 0 0 1 0 many 0 9 1\n", 1, 0, false},
	} {
		got, err := QueueLosses([]byte(x.text), x.number)
		if got != x.want || (err == nil) != x.ok {
			t.Errorf("queue %d of %q: got %d, %v, want %d", x.number, x.text, got, err, x.want)
		}
	}
}

func FuzzQueueLosses(f *testing.F) {
	f.Add([]byte("    1  14418     3 1     0    17     4     3501  1\n"))
	f.Add([]byte("1 1 1 1 1 99999999999 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := QueueLosses(text, 1); err != nil && n != 0 {
			t.Errorf("got %d with error %v", n, err)
		}
	})
}
