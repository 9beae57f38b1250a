package meter

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var lparConfig = regexp.MustCompile(`(?:^|\s)([a-z_]+)=(\S+)`)

// ParseLparstat reads what `lparstat INTERVAL 1` printed on AIX: the usage
// over the interval is physc, the processors the partition consumed. A
// dedicated partition that donates nothing has no physc; there the share of
// its processors that was busy is used: %user+%sys of lcpu/smt processors.
// Several data lines are averaged.
func ParseLparstat(text string) (*Usage, error) {
	config := map[string]string{}
	var heading []string
	u := &Usage{Source: "lparstat"}
	rows, sum, entc := 0, 0.0, 0.0
	hasEntc := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "---"):
		case strings.HasPrefix(line, "System configuration:"):
			for _, m := range lparConfig.FindAllStringSubmatch(line, -1) {
				config[m[1]] = m[2]
			}
		case strings.HasPrefix(f[0], "%"):
			heading = f
		case heading == nil:
			return nil, fmt.Errorf("lparstat: %q comes before the heading", strings.TrimSpace(line))
		default:
			row := map[string]float64{}
			// A saved copy may lack the last columns; the first ones are enough.
			for i, v := range f[:min(len(f), len(heading))] {
				if v == "-" {
					continue // not known
				}
				n, err := number(v)
				if err != nil {
					return nil, fmt.Errorf("lparstat: column %s is %q, a number expected", heading[i], v)
				}
				row[heading[i]] = n
			}
			n, err := busyCores(row, config)
			if err != nil {
				return nil, err
			}
			rows++
			sum += n
			if e, ok := row["%entc"]; ok {
				entc, hasEntc = entc+e, true
			}
		}
	}
	if rows == 0 {
		return nil, errors.New("lparstat: no line with figures")
	}
	u.Cores = sum / float64(rows)
	if hasEntc {
		entc /= float64(rows)
		u.Entitled = &entc
	}
	u.CPUs, _ = strconv.Atoi(config["lcpu"])
	return u, nil
}

func busyCores(row map[string]float64, config map[string]string) (float64, error) {
	if physc, ok := row["physc"]; ok {
		return physc, nil
	}
	user, ok1 := row["%user"]
	sys, ok2 := row["%sys"]
	lcpu, err := strconv.Atoi(config["lcpu"])
	if !ok1 || !ok2 || err != nil {
		return 0, errors.New("lparstat: neither physc nor %user, %sys and lcpu are there")
	}
	threads := 1
	switch smt := config["smt"]; strings.ToLower(smt) {
	case "", "off":
	case "on":
		threads = 2 // POWER5 and POWER6 print On for their two threads
	default:
		if threads, err = strconv.Atoi(smt); err != nil || threads < 1 {
			return 0, fmt.Errorf("lparstat: smt is %q, a number, On or Off expected", smt)
		}
	}
	return (user + sys) / 100 * float64(lcpu) / float64(threads), nil
}

// number reads a decimal point or, from a localised lparstat, a comma.
func number(s string) (float64, error) {
	n, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	if err == nil && (n < 0 || n != n || n > 1e15) {
		err = strconv.ErrRange
	}
	return n, err
}
