// Package saved reads the output of iperf and iperf3 that somebody kept, as text or JSON: which ends it was between, how fast
// its streams were and how often TCP sent again. What a run of the program's own reads stands in packages iperf2 and iperf3.
package saved

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Run is one output. What it does not say is nil or not valid.
type Run struct {
	parse.Report
	Local       netip.Addr `json:"local,omitzero"`
	Remote      netip.Addr `json:"remote,omitzero"`
	Streams     int        `json:"streams"`            // connections
	UDP         bool       `json:"udp,omitempty"`      // else TCP
	Received    bool       `json:"received,omitempty"` // the host that printed it received
	BitsPerSec  *float64   `json:"bits_per_second,omitempty"`
	Retransmits *uint64    `json:"retransmits,omitempty"`
	LeastRTTms  *float64   `json:"least_rtt_ms,omitempty"` // of its packets, as the sender saw it
	Line        int        `json:"-"`                      // 1-based, of the rate; 0 of JSON
}

var (
	connected = parse.Lazy(`^\[ *(\d+)\] +local (\S+) port \d+ connected (?:to|with) (\S+) port \d+`)
	rate      = parse.Lazy(`^\[ *(\d+|SUM)\] +([\d.]+)- *([\d.]+) +sec +[\d.]+ +[KMGT]?Bytes? +([\d.]+) +([KMGT]?)bits/sec(?: +(\d+))?(.*)$`)
	reverse   = parse.Lazy(`^Reverse mode, remote host`)
	datagrams = parse.Lazy(`\bUDP port \d|^\[ ?ID\].*(?:Jitter|Total Datagrams)`)
	words     = parse.Lazy(`^(?:-{3,}|(?:- )+-?|Connecting to host |Client connecting to |Server listening on |Accepted connection|` +
		`iperf Done\.|iperf3: |\[ ?ID\] |Reverse mode|TCP window size|UDP buffer size|TCP congestion|warning: |WARNING: |` +
		`(?:read|write|connect) failed: |(?:Test Complete|Starting Test|Time: |Cookie: |Control connection|CPU Utilization|` +
		`snd_tcp_congestion|rcv_tcp_congestion)|` +
		`\[ *(?:\d+|SUM)\] |Sending \d+ byte|iperf \d|Linux )`)
	units = map[string]float64{"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
)

// Parse reads an output; parse.ErrNotRecognised if it is none of iperf or iperf3, or has no rate.
func Parse(text []byte) (*Run, error) {
	if head := bytes.TrimSpace(text); bytes.HasPrefix(head, []byte("{")) {
		return parseJSON(text)
	}
	t := &textReader{run: &Run{}, streams: map[string]bool{}}
	t.run.Read(text, t.read)
	return parse.Recognised(t.run, t.run.BitsPerSec != nil)
}

// textReader reads line after line. The rate of a whole run is on its longest line from the start: of all streams together
// where there are several, of the receiving end where it is said.
type textReader struct {
	run      *Run
	streams  map[string]bool
	longest  float64
	sum      bool
	receiver bool
}

func (t *textReader) read(l parse.Line) bool {
	l.Text = strings.TrimPrefix(l.Text, "^C") // the terminal shows the key with which somebody ended the test
	id, local, remote := "", "", ""
	if connected.Scan(l.Text, &id, &local, &remote) {
		t.streams[id] = true
		t.run.Streams = len(t.streams)
		t.run.Local, _ = netip.ParseAddr(local)
		t.run.Remote, _ = netip.ParseAddr(remote)
		return true
	}
	t.run.Received = t.run.Received || reverse.MatchString(l.Text)
	t.run.UDP = t.run.UDP || datagrams.MatchString(l.Text)
	if m := rate.FindStringSubmatch(l.Text); m != nil {
		t.rate(m, l.Number)
		return true
	}
	return words.MatchString(l.Text)
}

func (t *textReader) rate(m []string, line int) {
	id, rest := m[1], strings.TrimSpace(m[7])
	if id != "SUM" && len(t.streams) == 0 {
		t.streams[id] = true
		t.run.Streams = 1
	}
	start, _ := strconv.ParseFloat(m[2], 64)
	end, _ := strconv.ParseFloat(m[3], 64)
	value, err := strconv.ParseFloat(m[4], 64)
	if err != nil || start != 0 {
		return
	}
	sum, receiver := id == "SUM", strings.HasSuffix(rest, "receiver")
	if n, err := strconv.ParseUint(m[6], 10, 64); err == nil && !t.run.UDP && (end >= t.longest || sum) && (sum || !t.sum) {
		t.run.Retransmits = &n
	}
	switch {
	case t.sum && !sum, end < t.longest && sum == t.sum, t.receiver && !receiver && sum == t.sum:
		return
	}
	t.longest, t.sum, t.receiver = end, sum, receiver
	bits := value * units[m[5]]
	t.run.BitsPerSec, t.run.Line = &bits, line
}

// document holds the names of iperf3's JSON.
type document struct {
	Start struct {
		Version   string `json:"version"`
		Connected []struct {
			Local  string `json:"local_host"`
			Remote string `json:"remote_host"`
		} `json:"connected"`
		Test struct {
			Protocol string `json:"protocol"`
			Reverse  int    `json:"reverse"`
		} `json:"test_start"`
	} `json:"start"`
	End struct {
		Streams []struct {
			Sender struct {
				LeastRTT *float64 `json:"min_rtt"` // µs
				MeanRTT  *float64 `json:"mean_rtt"`
			} `json:"sender"`
		} `json:"streams"`
		Sent     side  `json:"sum_sent"`
		Received *side `json:"sum_received"`
		Sum      *side `json:"sum"`
	} `json:"end"`
}

type side struct {
	BitsPerSec  *float64 `json:"bits_per_second"`
	Retransmits *uint64  `json:"retransmits"`
}

func parseJSON(text []byte) (*Run, error) {
	var d document
	if len(text) > parse.MaxText || json.Unmarshal(bytes.TrimSpace(text), &d) != nil || !strings.HasPrefix(d.Start.Version, "iperf") {
		return nil, parse.ErrNotRecognised
	}
	r := &Run{Streams: len(d.Start.Connected), UDP: d.Start.Test.Protocol == "UDP", Received: d.Start.Test.Reverse != 0}
	r.Lines = bytes.Count(text, []byte("\n"))
	if !bytes.HasSuffix(text, []byte("\n")) {
		r.Lines++
	}
	if len(d.Start.Connected) > 0 {
		r.Local, _ = netip.ParseAddr(d.Start.Connected[0].Local)
		r.Remote, _ = netip.ParseAddr(d.Start.Connected[0].Remote)
	}
	r.Retransmits = d.End.Sent.Retransmits
	for _, s := range []*side{d.End.Received, &d.End.Sent, d.End.Sum} {
		if s != nil && s.BitsPerSec != nil && r.BitsPerSec == nil {
			r.BitsPerSec = s.BitsPerSec
		}
	}
	for _, s := range d.End.Streams {
		least := s.Sender.LeastRTT
		if least == nil {
			least = s.Sender.MeanRTT
		}
		if least != nil && *least > 0 && (r.LeastRTTms == nil || *least/1000 < *r.LeastRTTms) {
			r.LeastRTTms = new(*least / 1000)
		}
	}
	return parse.Recognised(r, r.BitsPerSec != nil)
}
