package assemble_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/lab"
)

// leaves holds what one of the field's lines leaves behind, apart from what it prints.
type leaves struct {
	ask  string // a command line, asked before and after
	want string // matches the answer afterwards; "" : the answer is as it was
	not  string // does not
}

// traces returns what a line is said to leave behind on its node. The table puts
// it in words; these are the commands that show it.
func traces(l line) []leaves {
	c := l.command
	fields := strings.Fields(c)
	i := slices.Index(fields, "-l")
	device := ""
	if i >= 0 && i+1 < len(fields) {
		device = strings.NewReplacer("entX", "ent2", "enX", "en0").Replace(fields[i+1])
	}
	switch {
	case strings.Contains(c, "entX-a") || strings.Contains(c, "–P") || l.at("001", 120):
		return []leaves{{ask: "lsattr -El ent2; lsattr -El ent0"}} // refused: nothing
	case strings.HasSuffix(c, "mtu_bypass=on"), strings.HasSuffix(c, "mtu_bypass=off"):
		on := strings.HasSuffix(c, "on")
		flag := leaves{ask: "ifconfig " + device, want: `[<,]LARGESEND[,>]`}
		if !on {
			flag = leaves{ask: flag.ask, want: `flags=`, not: flag.want}
		}
		return []leaves{flag}
	case strings.HasSuffix(c, "state=down"):
		return []leaves{{ask: "ifconfig " + device, want: `inet `, not: `[<,]UP,`}}
	case strings.HasSuffix(c, "state=detach"):
		return []leaves{{ask: "ifconfig -a; netstat -rn", want: `lo0`, not: `\b` + device + `\b`}}
	case strings.HasSuffix(c, "state=up"):
		return []leaves{{ask: "ifconfig " + device, want: `(?s)[<,]UP,.*inet `}, {ask: "netstat -rn", want: `\b` + device + `\b`}}
	case strings.HasSuffix(c, "mtu=9000"):
		return []leaves{{ask: "lsattr -El " + device + " -a mtu -F value", want: `^9000\n$`}}
	case l.group == "chdev" && strings.HasSuffix(c, "-P"):
		return []leaves{{ask: "entstat -d " + device + " | grep -E 'M(in|ax) Buffers'"}} // in the database only
	case c == "ifconfig en0 largesend":
		return []leaves{{ask: "ifconfig en0", want: `[<,]LARGESEND[,>]`}, {ask: "lsattr -El en0 -a mtu_bypass -F value"}}
	case c == "ifconfig enX thread" || strings.HasSuffix(c, "enX -a thread=on"):
		return []leaves{{ask: "ifconfig en0", want: `THREAD`}}
	case strings.HasPrefix(c, "ifconfig <SEA"):
		return []leaves{{ask: "ifconfig en8", want: `[<,]UP,`}}
	case c == "mkdev -l inet0":
		return []leaves{{ask: "netstat -rn", want: `default|127`}}
	case l.group == "no" && strings.Contains(c, "="):
		value := c[strings.LastIndex(c, "=")+1:]
		return []leaves{{ask: "no -o tcp_sendspace -o tcp_recvspace", want: `tcp_sendspace = ` + value + `\ntcp_recvspace = ` + value}}
	case l.group == "schedo":
		return []leaves{{ask: "schedo -o vpm_xvcpus", want: `vpm_xvcpus = 2`}}
	}
	return nil
}

// answers asks what a line's traces are shown by.
func answers(t *testing.T, l *lab.Lab, node string, all []leaves) []string {
	t.Helper()
	var out []string
	for _, x := range all {
		text, _, _ := run(t, l, node, "root", x.ask)
		out = append(out, text)
	}
	return out
}

// left says whether every trace is there.
func left(t *testing.T, name string, all []leaves, before, after []string) bool {
	t.Helper()
	good := true
	for i, x := range all {
		switch {
		case x.want == "" && before[i] != after[i]:
			t.Errorf("%s: %s: got\n%swant as before\n%s", name, x.ask, after[i], before[i])
		case x.want != "" && !regexp.MustCompile(x.want).MatchString(after[i]):
			t.Errorf("%s: %s: got\n%swant %q in it", name, x.ask, after[i], x.want)
		case x.not != "" && regexp.MustCompile(x.not).MatchString(after[i]):
			t.Errorf("%s: %s: got\n%swant no %q in it", name, x.ask, after[i], x.not)
		default:
			continue
		}
		good = false
	}
	return good
}
