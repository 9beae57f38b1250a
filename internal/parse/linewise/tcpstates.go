package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// TCPStates is how many connections a host has in each state, as sort and uniq -c or a sum of awk print it of netstat -an or ss.
type TCPStates struct {
	parse.Report
	Counts map[string]uint64 `json:"counts"` // by the name that netstat gives the state: TIME_WAIT
	Lines  map[string]int    `json:"-"`      // 1-based
}

const tcpStateNames = `ESTAB(?:LISHED)?|SYN[-_](?:SENT|RECV|RCVD)|FIN[-_]WAIT[-_]?[12]|TIME[-_]WAIT|CLOSE[-_]WAIT|LAST[-_]ACK|LISTEN|CLOSING|CLOSED`

var (
	countedState = parse.Lazy(`^\s*(\d+)\s+(` + tcpStateNames + `)\s*$`)
	stateCounted = parse.Lazy(`^\s*(` + tcpStateNames + `)[\s:=]+(\d+)\s*$`)
	// otherWord is what the headings of netstat and ss leave in such a list.
	otherWord = parse.Lazy(`^\s*(?:\d+(?:\s+\S+)?|\S+\s+\d+)\s*$`)
)

var tcpStatesOutput = &output[TCPStates]{
	name: "tcp-states", ignored: otherWord,
	rows:       []line[TCPStates]{(*TCPStates).readState},
	recognised: func(s *TCPStates) bool { return len(s.Counts) > 0 },
}

// ParseTCPStates reads an output; parse.ErrNotRecognised without a state.
func ParseTCPStates(text []byte) (*TCPStates, error) { return tcpStatesOutput.parse(text) }

func (s *TCPStates) readState(l parse.Line) bool {
	state, n := "", uint64(0)
	if !countedState.Scan(l.Text, &n, &state) && !stateCounted.Scan(l.Text, &state, &n) {
		return false
	}
	state = TCPState(state)
	if s.Counts == nil {
		s.Counts, s.Lines = map[string]uint64{}, map[string]int{}
	}
	if s.Lines[state] == 0 {
		s.Lines[state] = l.Number
	}
	s.Counts[state] += n
	return true
}

// tcpStateOf are names of states that netstat writes otherwise.
var tcpStateOf = map[string]string{"ESTAB": "ESTABLISHED", "SYN_RECV": "SYN_RCVD", "FIN_WAIT1": "FIN_WAIT_1", "FIN_WAIT2": "FIN_WAIT_2"}

// TCPState is a state by the name that AIX's netstat gives it: those of ss and of Linux's netstat differ.
func TCPState(printed string) string {
	name := strings.ReplaceAll(printed, "-", "_")
	if other := tcpStateOf[name]; other != "" {
		return other
	}
	return name
}
