package cli_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"seaworthy/internal/test/remotetest"
)

var (
	watchedItem = regexp.MustCompile(`echo (\S+) b (\d+); echo \S+ b \d+ >&2; \{ (.*?); \} </dev/null`)
	countedPair = regexp.MustCompile(`(?m)^(Packets|Bytes): (\d+)( +)(Packets|Bytes): (\d+)`)
)

const lparstatOnce = `
System configuration: type=Shared mode=Uncapped smt=4 lcpu=8 mem=8192MB psize=16 ent=1.00

%user  %sys  %wait  %idle physc %entc  lbusy  vcsw phint
----- ----- ------ ------ ----- ----- ------ ----- -----
 20.0  22.0    0.0   58.0  0.42  42.0    1.1  3760     0
`

// watched answers a reading of the counters, which top asks for together. At
// each they are higher: by 1000 packets and 1000000 bytes in each direction.
func (h *fakeHost) watched(c *remotetest.Call) bool {
	line := strings.ReplaceAll(c.Command, `'\''`, "'")
	if !strings.Contains(line, "{ lparstat 1 1; }") {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	items := watchedItem.FindAllStringSubmatch(line, -1)
	answers := map[string]remotetest.Answer{"lparstat 1 1": {Stdout: lparstatOnce}}
	for _, m := range items {
		answer, ok := h.answers["oem_setup_env: "+m[3]]
		if !ok {
			answer, ok = h.answers[m[3]]
		}
		switch {
		case ok:
			answers[m[3]] = answer
		case m[3] != "lparstat 1 1":
			return false // doctor's tests, also asked for together
		}
	}
	h.watches++
	for _, m := range items {
		mark, n, answer := m[1], m[2], answers[m[3]]
		fmt.Fprintf(c.Stdout, "%s b %s\n%s%s e %s %d\n", mark, n, h.counted(answer.Stdout), mark, n, answer.Exit)
		fmt.Fprintf(c.Stderr, "%s b %s\n%s%s e %s 0\n", mark, n, answer.Stderr, mark, n)
	}
	return true
}

func (h *fakeHost) counted(text string) string {
	return countedPair.ReplaceAllStringFunc(text, func(pair string) string {
		m := countedPair.FindStringSubmatch(pair)
		by := map[string]int{"Packets": 1000, "Bytes": 1_000_000}[m[1]] * h.watches
		more := func(s string) string {
			n, _ := strconv.Atoi(s) // the pattern lets digits through alone
			return strconv.Itoa(n + by)
		}
		return m[1] + ": " + more(m[2]) + m[3] + m[4] + ": " + more(m[5])
	})
}
