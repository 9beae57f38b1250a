package split

import (
	"strings"

	"seaworthy/dialect"
)

// title is the sequence with which a shell names the terminal's window; others
// choose character sets.
var title = dialect.Lazy("\x1b\\][^\x07\x1b]{0,512}(?:\x07|\x1b\\\\)|\x1b[()][0-9A-Za-z]|\x1b[=>78]")

var (
	dots   = dialect.Lazy(`^[ \t]*\.{3,}[ \t]*$`)
	dotted = dialect.Lazy(`^[ \t]*\.{3,}(?:[ \t]+(\S.*))?$`)
)

// snap parts the files of an IBM snap: a line of dots, dots and the command,
// dots again.
//
//	.....
//	.....    ifconfig -a
//	.....
func snap(lines []string) *Cut {
	p := pieces{line: 1}
	found := false
	for i := 0; i < len(lines); i++ {
		if i+2 < len(lines) && dots.MatchString(body(lines[i])) && dots.MatchString(body(lines[i+2])) {
			if m := dotted.FindStringSubmatch(body(lines[i+1])); m != nil {
				found = true
				i += 2
				p.begin(Piece{Command: m[1]}, i+1)
				continue
			}
		}
		p.add(lines[i])
	}
	p.end()
	if !found {
		return nil
	}
	return &Cut{Form: Snap, Pieces: p.list}
}

var bbbp = dialect.Lazy(`^BBBP,\d+,([^,"]*)(?:,(.*))?$`)

// nmon takes the outputs that an nmon file keeps in its BBBP lines, each line
// of them quoted. nmon writes the line end before a ruler as the letter n,
// which the codecs know. The samples are not read.
func nmon(lines []string) *Cut {
	c := &Cut{Form: Nmon}
	marks := 0
	for _, l := range lines {
		if strings.HasPrefix(l, "AAA,") || strings.HasPrefix(l, "BBBP,") || strings.HasPrefix(l, "ZZZZ,T") {
			marks++
		}
	}
	if marks*3 < len(lines) && marks < 8 || marks == 0 {
		return nil
	}
	p := pieces{line: 1}
	var rest strings.Builder
	begun := false
	for i, l := range lines {
		b := body(l)
		if host, ok := strings.CutPrefix(b, "AAA,host,"); ok && c.Host == "" {
			c.Host, c.HostFrom = host, "host in the nmon file"
		}
		m := bbbp.FindStringSubmatch(b)
		if m == nil {
			rest.WriteString(l)
			continue
		}
		if p.now.Command != m[1] || !begun {
			p.begin(Piece{Command: m[1]}, i)
			begun = true
		}
		if m[2] != "" {
			p.add(strings.TrimSuffix(strings.TrimPrefix(m[2], `"`), `"`) + "\n")
		}
	}
	p.end()
	c.Pieces = p.list
	if len(c.Pieces) == 0 {
		c.Pieces = []Piece{{Title: "nmon samples", Text: []byte(rest.String()), Line: 1}}
	}
	return c
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
	c := &Cut{Form: Report}
	p := pieces{line: 1}
	for i, l := range lines {
		b := body(l)
		cmd, ok := reportTitles[b]
		if strings.HasPrefix(b, "running lssea on ") {
			p.begin(Piece{Title: "lsseas"}, i)
		}
		if ok {
			p.begin(Piece{Command: cmd, Title: strings.TrimSuffix(b, ":")}, i+1)
			below := strings.TrimSpace(body(lines[min(i+1, len(lines)-1)]))
			switch cmd {
			case "hostname":
				c.Host, c.HostFrom = below, "VIOS hostname in the report"
			case "date":
				c.Time = Time(below)
			}
			continue
		}
		p.add(l)
	}
	p.end()
	c.Pieces = p.list
	return c
}
