package targets

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What a pattern may have: ranges, and hosts that it stands for.
const (
	mostRanges  = 4
	mostInRange = 10_000
)

var errRange = errors.New("expected a range of hosts like lpar[1:3], lpar[01:12], lpar[1:9:2] or db[a:c]")

// expandRanges are the hosts that a pattern of Ansible's stands for: web[1:3] is web1, web2
// and web3. A name without a range is itself.
func expandRanges(pattern string) ([]string, error) {
	before, rest, ranged := strings.Cut(pattern, "[")
	inner, after, closed := strings.Cut(rest, "]")
	switch {
	case !ranged && strings.Contains(pattern, "]"), ranged && !closed, strings.Count(pattern, "[") > mostRanges:
		return nil, errRange
	case !ranged:
		return []string{pattern}, nil
	}
	values, err := rangeValues(inner)
	if err != nil {
		return nil, err
	}
	tails, err := expandRanges(after)
	if err != nil {
		return nil, err
	}
	if len(values)*len(tails) > mostInRange {
		return nil, fmt.Errorf("more than %d hosts", mostInRange)
	}
	var out []string
	for _, value := range values {
		for _, tail := range tails {
			out = append(out, before+value+tail)
		}
	}
	return out, nil
}

// rangeValues are those of 1:3, 01:12, 1:9:2 or a:c.
func rangeValues(text string) ([]string, error) {
	parts := strings.Split(text, ":")
	step := 1
	if len(parts) == 3 {
		n, err := strconv.Atoi(parts[2])
		if err != nil || n < 1 {
			return nil, errRange
		}
		step = n
	}
	if len(parts) != 2 && len(parts) != 3 {
		return nil, errRange
	}
	first, last := parts[0], parts[1]
	if isLetter(first) && isLetter(last) && first <= last {
		var out []string
		for c := int(first[0]); c <= int(last[0]); c += step {
			out = append(out, string(rune(c)))
		}
		return out, nil
	}
	low, err := strconv.Atoi(first)
	high, err2 := strconv.Atoi(last)
	if errors.Join(err, err2) != nil || low < 0 || low > high {
		return nil, errRange
	}
	if (high-low)/step >= mostInRange {
		return nil, fmt.Errorf("more than %d hosts", mostInRange)
	}
	width := 0
	if strings.HasPrefix(first, "0") {
		width = len(first)
	}
	var out []string
	for n := low; n <= high; n += step {
		out = append(out, fmt.Sprintf("%0*d", width, n))
	}
	return out, nil
}

func isLetter(s string) bool {
	return len(s) == 1 && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z')
}
