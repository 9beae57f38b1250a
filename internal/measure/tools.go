package measure

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"

	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/load/iperf2"
	"seaworthy/internal/parse/load/iperf3"
	"seaworthy/internal/parse/load/netperf"
)

// The tools that can make the load where they are installed on both ends.
var (
	// Iperf3 drives iperf3 3.1 or newer, with the warm-up omitted from its figures.
	Iperf3 Driver = &toolDriver{
		name: "iperf3", kinds: []load.Kind{load.Stream}, ready: silentWait, finest: 0.1,
		server: "iperf3 -s -1 -J -p {{.Port}} -i {{.Interval}}",
		client: "iperf3 -c {{.Target}} -p {{.Port}} -t {{.Measured}} -O {{.Warm}} -P {{.Streams}} -l {{.Write}} -i {{.Interval}} -J" +
			" --get-server-output{{with .Window}} -w {{.}}{{end}}{{if .NoDelay}} -N{{end}}{{if .Reverse}} -R{{end}}",
		read: readIperf3,
	}
	// Iperf2 drives iperf 2. Its server reports what the receiving end got.
	Iperf2 Driver = &toolDriver{
		name: "iperf2", kinds: []load.Kind{load.Stream}, ready: readyWait,
		oneWay: "has no reverse direction that all its levels know", serverReports: true, finest: 0.5,
		server: "iperf -s -p {{.Port}} -i {{.Interval}} -f k{{with .Window}} -w {{.}}{{end}}",
		client: "iperf -c {{.Target}} -p {{.Port}} -t {{.Length}} -P {{.Streams}} -l {{.Write}} -f k" +
			"{{with .Window}} -w {{.}}{{end}}{{if .NoDelay}} -N{{end}}",
		read: readIperf2,
	}
	// Netperf drives netperf 2, one process per stream or session, as netperf has it.
	Netperf Driver = &toolDriver{
		name: "netperf", kinds: []load.Kind{load.Stream, load.RequestResponse}, ready: silentWait, processes: true,
		oneWay: "has no reverse direction for TCP_STREAM",
		server: "netserver -D -p {{.Port}}",
		client: "netperf -H {{.Target}} -p {{.Port}} -l {{.Length}} " +
			`{{if eq .Kind "rr"}}-t TCP_RR -- -r {{.Request}},{{.Response}}{{else}}-t TCP_STREAM -- -m {{.Write}}{{end}}` +
			"{{with .Window}} -s {{.}} -S {{.}}{{end}}{{if .NoDelay}} -D{{end}}",
		read: readNetperf,
	}
	// FTP sends zeros by the host's own ftp, one process per stream, to the ftpd of
	// the far end. The login is that of ~/.netrc; sizes and windows are ftp's own.
	FTP Driver = &toolDriver{
		name: "ftp", kinds: []load.Kind{load.Stream}, processes: true, oneWay: "sends only",
		client: `printf 'binary\nput "|dd if=/dev/zero bs=65536 & sleep {{.Length}}; kill $!" /dev/null\nbye\n' | ftp {{.Target}}`,
		read:   readFTP,
	}
	// Qperf drives qperf's tcp_lat. It takes a second port of its own choice.
	Qperf Driver = &toolDriver{
		name: "qperf", kinds: []load.Kind{load.RequestResponse}, ready: silentWait, smallest: 1,
		server: "qperf -lp {{.Port}}",
		client: "qperf {{.Target}} -lp {{.Port}} -t {{.Length}} -m {{.Request}} -e 6 tcp_lat",
		read: func(text []byte) (*Measure, error) {
			latency, err := linewise.ParseQperf(text)
			if err != nil {
				return nil, err
			}
			return &Measure{TPS: new(1 / (2 * latency.Seconds))}, nil
		},
	}
	// Sockperf drives sockperf's ping-pong over TCP. It leaves a warm-up of its own
	// out: a 3.x client sends nothing for two seconds after a few first messages,
	// before the test that -t times.
	Sockperf Driver = &toolDriver{
		name: "sockperf", kinds: []load.Kind{load.RequestResponse}, ready: readyWait, idle: 2.1, smallest: 14,
		server: "sockperf server --tcp -p {{.Port}}",
		client: "sockperf ping-pong --tcp -i {{.Target}} -p {{.Port}} -t {{.Length}} -m {{.Request}}",
		read: func(text []byte) (*Measure, error) {
			o, err := linewise.ParseSockperf(text)
			if err != nil {
				return nil, err
			}
			tps := float64(o.Received) / o.Seconds
			return &Measure{TPS: &tps, Seconds: o.Seconds}, nil
		},
	}
)

func readIperf3(text []byte) (*Measure, error) {
	o, err := iperf3.Parse(text)
	if err != nil {
		return nil, err
	}
	m := &Measure{BPS: o.BitsPerSec, Bytes: o.Bytes, Retransmits: o.Retransmits,
		Course: course(ofIperf3(o.Intervals), load.Stream)}
	if o.Seconds != nil {
		m.Seconds = *o.Seconds
	}
	for _, s := range o.Streams {
		if s.Bytes != nil {
			m.Connections = append(m.Connections, *s.Bytes)
		}
	}
	return m, nil
}

func readIperf2(text []byte) (*Measure, error) {
	o, err := iperf2.Parse(text)
	if err != nil {
		return nil, err
	}
	bps, ok := o.Total()
	if !ok {
		return nil, errors.New("no bandwidth in its report")
	}
	m := &Measure{BPS: &bps, Course: course(ofIperf2(o), load.Stream)}
	for _, i := range o.Totals() {
		m.Seconds = max(m.Seconds, i.End)
		if b, ok := i.Transfer.Bytes(); ok {
			m.Connections = append(m.Connections, uint64(b))
		}
	}
	return m, nil
}

var ftpSent = regexp.MustCompile(`(?m)^(\d+) bytes sent in ([0-9.e+-]+) seconds`)

func readFTP(text []byte) (*Measure, error) {
	m := ftpSent.FindSubmatch(text)
	if m == nil {
		return nil, errors.New("nothing was sent: the far end has to run ftpd, and ~/.netrc of the sender needs " +
			"\"machine ADDRESS login USER password PASSWORD\" for it")
	}
	bytes, err := strconv.ParseUint(string(m[1]), 10, 64)
	seconds, serr := strconv.ParseFloat(string(m[2]), 64)
	if err := cmp.Or(err, serr); err != nil {
		return nil, err
	}
	return &Measure{BPS: new(float64(bytes) * 8 / max(seconds, 1e-9)), Seconds: seconds}, nil
}

func readNetperf(text []byte) (*Measure, error) {
	o, err := netperf.Parse(text)
	if err != nil {
		return nil, err
	}
	if v, ok := o.BitsPerSecond(); ok {
		return &Measure{BPS: &v}, nil
	}
	if v, ok := o.Transactions(); ok {
		return &Measure{TPS: &v}, nil
	}
	return nil, errors.New("no result in its report")
}
