package traffic

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// option is one letter with its value, in the order given.
type option struct {
	letter byte
	value  string
}

// getopt reads options as getopt(3) does: letters may be joined (-sD), a value
// may touch its letter (-P8) or follow it. known lists the letters, each with
// a colon if it has a value. With interleaved, options after operands count
// too, as GNU and ping's users have it. "--" ends the options.
func getopt(args []string, known string, interleaved bool) (options []option, operands []string, err error) {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if a == "--" {
			return options, append(operands, args...), nil
		}
		if len(a) < 2 || a[0] != '-' {
			operands = append(operands, a)
			if !interleaved {
				return options, append(operands, args...), nil
			}
			continue
		}
		for rest := a[1:]; rest != ""; {
			letter := rest[0]
			rest = rest[1:]
			at := strings.IndexByte(known, letter)
			if at < 0 || letter == ':' {
				return nil, nil, fmt.Errorf("invalid option -- '%c'", letter)
			}
			if at+1 == len(known) || known[at+1] != ':' {
				options = append(options, option{letter: letter})
				continue
			}
			if rest == "" {
				if len(args) == 0 {
					return nil, nil, fmt.Errorf("option requires an argument -- '%c'", letter)
				}
				rest, args = args[0], args[1:]
			}
			options = append(options, option{letter, rest})
			rest = ""
		}
	}
	return options, operands, nil
}

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
