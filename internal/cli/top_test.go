package cli_test

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"seaworthy/internal/test/remotetest"
)

var (
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
	if !strings.Contains(c.Command, "lparstat 1 1") {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watches++
	_, _ = io.WriteString(c.Stdout, lparstatOnce)
	return true
}

// step is by how much counters grow from one reading to the next.
var step = map[string]int{"Packets": 1000, "Bytes": 1_000_000}

func (h *fakeHost) counted(text string) string {
	return countedPair.ReplaceAllStringFunc(text, func(pair string) string {
		m := countedPair.FindStringSubmatch(pair)
		by := step[m[1]] * h.watches
		more := func(s string) string {
			n, _ := strconv.Atoi(s) // the pattern lets digits through alone
			return strconv.Itoa(n + by)
		}
		return m[1] + ": " + more(m[2]) + m[3] + m[4] + ": " + more(m[5])
	})
}
