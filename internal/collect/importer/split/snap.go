package split

import (
	"strings"

	"seaworthy/internal/parse"
)

var (
	dots   = parse.Lazy(`^[ \t]*\.{3,}[ \t]*$`)
	dotted = parse.Lazy(`^[ \t]*\.{3,}(?:[ \t]+(\S.*))?$`)
)

// snap parts the files of an IBM snap: a line of dots, dots and the command,
// dots again.
//
//	.....
//	.....    ifconfig -a
//	.....
func snap(lines []string) *Cut {
	var marks []mark
	for i := 1; i+1 < len(lines); i++ {
		m := dotted.FindStringSubmatch(body(lines[i]))
		if m == nil || !dots.MatchString(body(lines[i-1])) || !dots.MatchString(body(lines[i+1])) {
			continue
		}
		marks = append(marks, mark{i - 1, i + 2, Piece{Command: m[1]}})
		i += 2
	}
	return cutAt(Snap, lines, marks)
}

// agent parts what a monitoring agent sends: sections with their name in
// brackets, in which each adapter may have a heading of its own.
func agent(lines []string) *Cut {
	var marks []mark
	for i, l := range lines {
		b := body(l)
		m := agentLine.FindStringSubmatch(b)
		if m == nil && len(marks) > 0 {
			m = agentPart.FindStringSubmatch(b)
		}
		if m != nil {
			marks = append(marks, mark{i, i + 1, Piece{Title: m[1]}})
		}
	}
	return cutAt(Agent, lines, marks)
}

// what a monitoring agent writes above the outputs that it gathers, and above
// each adapter's within: <<<aix_if>>>, <<<netapp:sep(58)>>>, [en0]
var (
	agentLine = parse.Lazy(`^<<<([A-Za-z][\w.-]*)(?::[^<>]*)?>>>$`)
	agentPart = parse.Lazy(`^\[([a-z]+[0-9]{1,5})\]$`)
)

var bbbp = parse.Lazy(`^BBBP,\d+,([^,"]*)(?:,(.*))?$`)

// nmon takes the outputs that an nmon file keeps in its BBBP lines, each line
// of them quoted. nmon writes the line end before a ruler as the letter n,
// which the codecs know. Of the samples, those of network devices are a piece of
// their own.
func nmon(lines []string) *Cut {
	c := &Cut{Form: Nmon}
	signs := 0
	for _, l := range lines {
		if strings.HasPrefix(l, "AAA,") || strings.HasPrefix(l, "BBBP,") || strings.HasPrefix(l, "ZZZZ,T") {
			signs++
		}
	}
	if signs*3 < len(lines) && signs < 8 || signs == 0 {
		return nil
	}
	var samples, network samplesOf
	var marks []mark
	said := make([]string, len(lines)) // what commands printed, in its lines
	for i, l := range lines {
		b := body(l)
		if host, ok := strings.CutPrefix(b, "AAA,host,"); ok && c.Host == "" {
			c.Host, c.HostFrom = host, "host in the nmon file"
		}
		m := bbbp.FindStringSubmatch(b)
		switch {
		case m != nil:
		case networkSample.MatchString(b):
			network.add(l, i)
			continue
		default:
			samples.add(l, i)
			continue
		}
		if n := len(marks); n == 0 || marks[n-1].Command != m[1] {
			marks = append(marks, mark{i, i, Piece{Command: m[1], Line: i + 1}})
		}
		if m[2] != "" {
			said[i] = strings.TrimSuffix(strings.TrimPrefix(m[2], `"`), `"`) + "\n"
		}
	}
	c.Pieces = between(said, marks...)
	for _, more := range []*samplesOf{&network, &samples} {
		if more.text.Len() > 0 {
			c.Pieces = append(c.Pieces, Piece{Title: "nmon samples", Text: []byte(more.text.String()), Line: more.line})
		}
	}
	return c
}

// networkSample is a line about network devices, or its heading.
var networkSample = parse.Lazy(`^NET(?:PACKET|ERROR|SIZE)?,`)

// samplesOf are lines of an nmon file.
type samplesOf struct {
	text strings.Builder
	line int // 1-based, of the first
}

func (s *samplesOf) add(line string, at int) {
	if s.line == 0 {
		s.line = at + 1
	}
	s.text.WriteString(line)
}

// reportTitles are the headings of the lsseas report, which puts several
// outputs below words of its own.
var reportTitles = map[string]string{
	"Execution date:": "date", "VIOS hostname:": "hostname", "Firmware level:": "lsmcode -A", "Card info:": "lscfg",
	"FC info:": "fcstat", "NPIV map info:": "lsmap -all -npiv -fmt :", "vSCSI map info:": "lsmap -all -fmt :",
}

// report parts a report that names the VIOS at its head.
func report(lines []string) *Cut {
	found := 0
	for _, l := range lines[:min(len(lines), 40)] {
		if reportTitles[body(l)] != "" {
			found++
		}
	}
	if found < 3 {
		return nil
	}
	var marks []mark
	c := &Cut{Form: Report}
	for i, l := range lines {
		b := body(l)
		if strings.HasPrefix(b, "running lssea on ") {
			marks = append(marks, mark{i, i, Piece{Title: "lsseas"}})
		}
		cmd := reportTitles[b]
		if cmd == "" {
			continue
		}
		marks = append(marks, mark{i, i + 1, Piece{Command: cmd, Title: strings.TrimSuffix(b, ":")}})
		below := strings.TrimSpace(body(lines[min(i+1, len(lines)-1)]))
		switch cmd {
		case "hostname":
			c.Host, c.HostFrom = below, "VIOS hostname in the report"
		case "date":
			c.Time = Time(below)
		}
	}
	c.Pieces = between(lines, marks...)
	return c
}
