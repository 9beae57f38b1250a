package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// NFSStatistics is the output of nfsstat, of AIX or Linux: counters of its tables, and the options of mounts (-m).
type NFSStatistics struct {
	parse.Report
	// Counters are by side, transport and column: client.connection.timeouts, client.retrans. Linux names no transport.
	Counters map[string]uint64 `json:"counters,omitempty"`
	Mounts   []*NFSMount       `json:"mounts,omitempty"`
}

// NFSMount is a mount of nfsstat -m.
type NFSMount struct {
	From    string            `json:"from"`    // /mnt from server:/export
	Options map[string]string `json:"options"` // vers, proto, rsize, wsize, timeo; an option without a value is "yes"
}

var (
	nfsSide      = parse.Lazy(`^\s*(Client|Server) (rpc|nfs)(?: stats)?(?:\s*v[234])?\s*:`)
	nfsTransport = parse.Lazy(`^\s*(Connection oriented|Connectionless)\s*:?\s*$`)
	nfsColumns   = parse.Lazy(`^\s*[a-z_]+(?:\s+[a-z_]+)*\s*$`)
	nfsNumbers   = parse.Lazy(`^\s*\d+(?:\s+\d+)*\s*$`)
	nfsMounted   = parse.Lazy(`^\s*(/\S* from \S+)\s*$`)
	nfsFlags     = parse.Lazy(`^\s*Flags:\s*(\S+)\s*$`)
)

var nfsstatOutput = &output[NFSStatistics]{
	name:       "nfsstat",
	reader:     readNFSStatistics,
	recognised: func(s *NFSStatistics) bool { return len(s.Counters) > 0 || len(s.Mounts) > 0 },
}

func readNFSStatistics(*NFSStatistics) line[NFSStatistics] {
	side, transport, rpc := "", "", false
	var columns []string
	return func(s *NFSStatistics, l parse.Line) bool {
		if m := nfsSide.FindStringSubmatch(l.Text); m != nil {
			side = strings.ToLower(m[1])
			rpc = m[2] == "rpc"
			transport = ""
			columns = nil
			return true
		}
		if m := nfsTransport.FindStringSubmatch(l.Text); m != nil {
			transport = "connectionless."
			if m[1] == "Connection oriented" {
				transport = "connection."
			}
			return true
		}
		if m := nfsMounted.FindStringSubmatch(l.Text); m != nil {
			s.Mounts = append(s.Mounts, &NFSMount{From: m[1], Options: map[string]string{}})
			return true
		}
		if m := nfsFlags.FindStringSubmatch(l.Text); m != nil && len(s.Mounts) > 0 {
			s.Mounts[len(s.Mounts)-1].read(m[1])
			return true
		}
		switch {
		case side != "" && nfsColumns.MatchString(l.Text):
			columns = strings.Fields(l.Text)
			return true
		case side != "" && nfsNumbers.MatchString(l.Text) && rpc:
			return s.count(side+"."+transport, columns, strings.Fields(l.Text))
		}
		return side != "" && !rpc // calls by kind, with shares
	}
}

// count takes a row of numbers below its headings.
func (s *NFSStatistics) count(prefix string, columns, numbers []string) bool {
	if len(columns) != len(numbers) {
		return false
	}
	if s.Counters == nil {
		s.Counters = map[string]uint64{}
	}
	for i, name := range columns {
		if n, ok := parse.Count(numbers[i]); ok {
			s.Counters[prefix+name] = n
		}
	}
	return true
}

// read takes the options of a mount: vers=3,proto=tcp,hard.
func (m *NFSMount) read(flags string) {
	for _, f := range strings.Split(flags, ",") {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			value = "yes"
		}
		m.Options[name] = value
	}
}

// ParseNFSStatistics reads nfsstat; parse.ErrNotRecognised if it has neither a counter of RPC nor a mount.
func ParseNFSStatistics(text []byte) (*NFSStatistics, error) { return nfsstatOutput.parse(text) }
