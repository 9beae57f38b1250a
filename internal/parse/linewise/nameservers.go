package linewise

import (
	"cmp"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// NameServerTimes says how each name server of a host answered one question, asked of it alone by nslookup. A line
// "nameserver ADDRESS" stands above what nslookup said; the time is that of the shell (real), or the difference of two
// lines "uptime SECONDS".
type NameServerTimes struct {
	parse.Report
	Servers []*NameServerTime `json:"servers"` // in the order of /etc/resolv.conf
}

// NameServerTime is one server.
type NameServerTime struct {
	Address string   `json:"address"`
	Outcome string   `json:"outcome,omitempty"` // Answered or Silent; empty: not known, as where nslookup is missing
	Seconds *float64 `json:"seconds,omitempty"` // until nslookup ended
	Line    int      `json:"-"`                 // 1-based, of the server

	uptime *float64 // when it was asked
}

// Outcomes of a question to a name server.
const (
	Answered = "answered"
	Silent   = "silent" // it gave no answer in time, or refused
)

var (
	askedServer   = parse.Lazy(`^nameserver ([0-9A-Fa-f.:]{2,45})\s*$`)
	askedAt       = parse.Lazy(`^uptime (\d{1,12}(?:\.\d+)?)\s*$`)
	silentAnswer  = parse.Lazy(`(?i)timed[ -]out|no response|could be reached|refused`)
	answerAddress = parse.Lazy(`(?i)^\s*address(?:es)?:\s*\S`)
)

var nameServersOutput = &output[NameServerTimes]{
	name: "name-servers",
	rows: []line[NameServerTimes]{(*NameServerTimes).readServer, (*NameServerTimes).readTime, (*NameServerTimes).readAnswer},
	recognised: func(t *NameServerTimes) bool {
		return len(t.Servers) > 0
	},
}

// ParseNameServers reads an output; parse.ErrNotRecognised if it names no server.
func ParseNameServers(text []byte) (*NameServerTimes, error) { return nameServersOutput.parse(text) }

func (t *NameServerTimes) readServer(l parse.Line) bool {
	m := askedServer.FindStringSubmatch(l.Text)
	if m == nil {
		return false
	}
	t.Servers = append(t.Servers, &NameServerTime{Address: m[1], Line: l.Number})
	return true
}

// last is the server that lines are about; nil above the first.
func (t *NameServerTimes) last() *NameServerTime {
	if len(t.Servers) == 0 {
		return nil
	}
	return t.Servers[len(t.Servers)-1]
}

func (t *NameServerTimes) readTime(l parse.Line) bool {
	s := t.last()
	if s == nil {
		return false
	}
	if m := realTime.FindStringSubmatch(l.Text); m != nil {
		minutes, _ := strconv.ParseUint(m[1], 10, 32) // none: it took less than one
		seconds, _, ok := parse.Decimal(m[2])
		if ok {
			seconds += float64(minutes) * 60
			s.Seconds = &seconds
		}
		return ok
	}
	m := askedAt.FindStringSubmatch(l.Text)
	if m == nil {
		return false
	}
	now, _, ok := parse.Decimal(m[1])
	if !ok {
		return false
	}
	if s.uptime == nil {
		s.uptime = &now
		return true
	}
	if took := now - *s.uptime; took >= 0 {
		s.Seconds = &took
	}
	return true
}

// readAnswer reads what nslookup said: BIND's names the server's address above an answer, which no error does.
func (t *NameServerTimes) readAnswer(l parse.Line) bool {
	s := t.last()
	switch text := strings.TrimSpace(l.Text); {
	case s == nil:
		return false
	case silentAnswer.MatchString(text):
		s.Outcome = Silent
	case answerAddress.MatchString(text):
		s.Outcome = cmp.Or(s.Outcome, Answered)
	default:
		return false
	}
	return true
}
