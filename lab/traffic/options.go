package traffic

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// count reads a whole number within limits.
func count(s string, least, most int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", s)
	}
	if n < least || n > most {
		return 0, fmt.Errorf("%d must be %d to %d", n, least, most)
	}
	return n, nil
}

// size reads bytes, one or more, with an optional suffix: K, M, G are powers of
// 1024, and k, m, g of 1000, as iperf 2 reads them.
func size(s string, most int) (int, error) {
	scale := 1.0
	if n := len(s); n > 0 {
		power := strings.IndexByte("KMG", s[n-1]) + 1
		base := 1024.0
		if power == 0 {
			power, base = strings.IndexByte("kmg", s[n-1])+1, 1000
		}
		if power > 0 {
			s, scale = s[:n-1], math.Pow(base, float64(power))
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a size", s)
	}
	v *= scale
	if !(v >= 1 && v <= float64(most)) {
		return 0, fmt.Errorf("%.0f must be 1 to %d", v, most)
	}
	return int(v), nil
}

// seconds reads a duration in seconds.
func seconds(s string, least, most float64) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= least && v <= most) {
		return 0, fmt.Errorf("%q is not a time of %g to %g seconds", s, least, most)
	}
	return v, nil
}

// pair reads "a,b" or "a"; b is then as a, or 0 with a comma and nothing behind.
func pair(s string, read func(string) (int, error)) (a, b int, err error) {
	first, second, both := strings.Cut(s, ",")
	if first == "" && second == "" {
		return 0, 0, errors.New("a size is missing")
	}
	if first != "" {
		if a, err = read(first); err != nil {
			return 0, 0, err
		}
	}
	switch {
	case !both:
		b = a
	case second != "":
		b, err = read(second)
	}
	return a, b, err
}
