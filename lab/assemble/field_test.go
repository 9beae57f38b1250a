package assemble_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/needs"
	"seaworthy/lab"
)

// line is one of the field's command lines.
type line struct {
	article, role, group, form, command string
	number                              int
}

func (l line) at(article string, number int) bool {
	return strings.HasPrefix(l.article, article) && l.number == number
}

// fieldLines reads the table that lies beside the repository.
func fieldLines(t *testing.T) []line {
	t.Helper()
	file := filepath.Join("..", "..", "..", "shared", "knowledge", "seed_commands.tsv")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("the table of the field's command lines is not here: %v", err)
	}
	var out []line
	for i, row := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		f := strings.Split(row, "\t")
		if i == 0 || len(f) < 6 {
			continue
		}
		n, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		out = append(out, line{f[0], f[2], f[3], f[4], f[5], n})
	}
	// As they were typed: in the order of the articles.
	sort.SliceStable(out, func(i, j int) bool {
		return out[i].article < out[j].article || out[i].article == out[j].article && out[i].number < out[j].number
	})
	return out
}

// where is the node and the login that a line is for. Lines that set
// attributes of a port run on a node that has one.
func where(l line) (node, user string) {
	switch {
	case l.role == "VIOS padmin":
		return "vios1", "padmin"
	case l.role == "VIOS root":
		return "vios1", "root"
	case strings.HasPrefix(l.article, "004"):
		return "lparc", ""
	case strings.HasPrefix(l.article, "001") && (l.number < 110 || strings.Contains(l.command, "large_send")):
		return "lpard", ""
	case l.role == "AIX LPAR (receiver)":
		return "peer", ""
	}
	return "lpar1", ""
}

// fill replaces what articles leave open, and shortens what takes a minute:
// the duration of a measurement, the length of a file.
func fill(l line) string {
	if l.form == "implied" {
		switch {
		case strings.HasPrefix(l.command, "lparstat"):
			return "lparstat -i; schedo -o vpm_fold_policy"
		case strings.HasPrefix(l.command, "ftpd"):
			return "ftpd; echo open 127.0.0.1 | ftp -n"
		}
	}
	return strings.NewReplacer("entX", "ent2", "enX", "en0", "<SEA/en8>", "en8", "<SEA>", "ent10", "<hostB>", "10.100.0.2",
		"<TCP window size>", "256K", "<peer>", "-c 2 192.168.244.137",
		"-t60", "-t1", "-t 60", "-t 1", "-l60", "-l1", "count=10000", "count=30",
		"netperf -H 192.168.244.137", "netperf -H 192.168.244.137 -l1").Replace(l.command)
}

var shape = map[string]string{
	"ftp": `220 `, "iperf": `\d bits/sec|[MG]bits/sec`, "lparstat": `(?s)Entitled Capacity.*vpm_fold_policy = 1`,
	"ping": `(?s)64 bytes from 192\.168\.244\.137: icmp_seq=0 ttl=\d+ time=\d.*2 packets received, 0% packet loss\nround-trip min/avg/max = \d`, "schedo": `Setting vpm_xvcpus to 2`,
	"seastat": `(?s)Advanced Statistics for SEA\nDevice Name: ent10.*MAC: \S+\n.*VLAN: \d.*Transmit Statistics: +Receive Statistics:\n.*Packets: \d+ +Packets: \d+\nBytes: `, "viostat": `drives=0`, "mkdev": `^inet0 Available`,
	"topas": `(?s)Topas Monitor for host: +vios1 +Interval: +\d.*Network +KBPS +I-Pack +O-Pack +KB-In +KB-Out.*ent10 \(SEA\).*\\--ent4 \(PHYS\).*\\--ent5 \(VETH\).*lo0`,
	"no":    `tcp_recvspace( =| to) (16384|262144|524288)`, "trace": `^$`,
}

// want returns what a line prints, and its exit status; -1 is any but zero.
func want(l line) (out, errs string, exit int) {
	c := l.command
	switch {
	case strings.Contains(c, "entX-a") || strings.Contains(c, "–P"):
		return `^$`, `Usage`, -1
	case l.at("001", 120):
		return `^$`, `0514-062`, -1 // the port of an SEA is busy
	case l.group == "chdev":
		return `^\S+ changed\n$`, `^$`, 0
	case l.group == "ifconfig" && strings.Contains(c, "-a"):
		return `en8: flags=\S+<UP.*(?s).*tcp_sendspace 262144 tcp_recvspace 262144 rfc1323 1`, `^$`, 0
	case l.group == "ifconfig" && c == "ifconfig en0":
		return `en0: flags=(?s).*inet 192\.168\.244\.239 netmask 0xffffff00 broadcast 192\.168\.244\.255.*tcp_recvspace 262144`, `^$`, 0
	case l.group == "ifconfig":
		return `^$`, `^$`, 0
	case l.group == "entstat":
		return `(?s)Receive Buffers.*Buffer Type +Tiny +Small +Medium +Large +Huge.*Min Buffers.*Max Buffers`, `^$`, 0
	case l.group == "iperf" && strings.Contains(c, "-s"):
		return `(?s)Server listening on TCP port 5001.*TCP window size`, ``, 124 // ended by timeout
	case l.group == "iperf" && (strings.Contains(c, "-P8") || strings.Contains(c, "-P 24")):
		return `\[SUM\].*[MG]bits/sec`, ``, 0
	case l.group == "iperf" && strings.Contains(c, "-P1 "):
		return `(?s)Client connecting to \S+, TCP port 5001.*\d Mbits/sec`, ``, 0
	case l.group == "netperf" && strings.Contains(c, "TCP_RR"):
		return `(?s)TCP REQUEST/RESPONSE TEST.*Trans\..*Rate +\n.*per sec`, ``, 0
	case l.group == "netperf":
		return `(?s)MIGRATED TCP STREAM TEST.*Recv +Send +Send.*Socket +Socket +Message +Elapsed.*Size +Size +Size +Time +Throughput.*\n *\d+ +\d+ +\d+ +\d+\.\d+ +\d`, ``, 0
	case l.group == "netstat" && strings.Contains(c, "largesend"):
		return `\d+ bytes sent using largesend\n\s*\d+ bytes is the biggest largesend`, `^$`, 0
	case l.group == "netstat":
		return `(?s)^Name +Mtu +Network +Address +Ipkts +Ierrs +Opkts +Oerrs +Coll\n.*(en0|en8) +9000 +link#\d+ .*lo0 +16896 `, `^$`, 0
	case l.at("000", 42):
		return `(?s)ha_mode.*jumbo_frames.*large_receive.*largesend.*queue_size +8192.*real_adapter +ent33`, `^$`, 0
	case l.at("000", 50):
		return `(?s)jumbo_frames.*jumbo_size.*large_receive.*large_send.*media_speed`, `^$`, 0
	case l.group == "lsdev":
		return `flow_ctrl +yes`, `^$`, 0
	case l.group == "lsattr" && l.form == "implied":
		return `(?s)mtu +1500.*mtu_bypass +(on|off)`, `^$`, 0
	case l.at("000", 59):
		return `(?s)buf_mode.*chksum_offload.*max_buf_huge`, `^$`, 0 // what is printed there is en0's
	case l.at("001", 101):
		return `jumbo_frames +yes`, `^$`, 0 // a port has no use_jumbo_frame
	case l.at("001", 104):
		return `mtu +9000`, `^$`, 0
	case l.group == "lsattr" && strings.Contains(c, "mtu_bypass"):
		return `mtu_bypass +(on|off)`, `^$`, 0
	case l.at("003", 105):
		return `(?s)large_receive +yes.*largesend +1`, `^$`, 0
	case l.group == "lsattr" && strings.Contains(c, "grep large") && !strings.Contains(c, "large_send"):
		return `(?s)large_receive +yes.*large_send +yes`, `^$`, 0
	case l.group == "lsattr" && strings.Contains(c, "large_send"):
		return `large_send +(yes|no)`, `^$`, 0
	case l.group == "lsattr":
		return `chksum_offload +yes`, `^$`, 0
	}
	return shape[l.group], ``, 0
}

// session is the ftp session under tprof that lines 180 to 214 and 241 to 276
// of an article are: one run, in which every line has its own mark.
func session(l line) (mark string, ok bool) {
	if !strings.HasPrefix(l.article, "001") {
		return "", false
	}
	switch {
	case l.number == 180 || l.number == 241:
		return `(?s)Starting Command ftp\n.*stopping trace collection\.\n.*\nSystem: .*Generating ftp\.trc\n.*Generating ftp\.syms\n.*Generating ftp\.prof`, true
	case l.command == "open 192.168.20.11":
		return `(?s)Connected to 192\.168\.20\.11\..*220 .*Version 4\.2.*Name \(192\.168\.20\.11:root\):.*331 .*Password:.*230 `, true
	case strings.HasPrefix(l.command, "put "):
		return `(?s)200 PORT.*150 .*226 .*100500000 bytes sent in \S+ seconds \(\S+ Kbytes/s\)\nlocal: \| dd if=/dev/zero bs=3350000 count=30 remote: /dev/null`, true
	case l.command == "bye":
		return `221 Goodbye\.`, true
	case l.number == 213:
		return `(?s)Configuration information\n=+\n.*Tprof command was:\ntprof -z -Askex ftp\n.*Trace command was:\n/usr/bin/trace -ad -M `, true
	case l.command == "vi ftp.prof":
		return `(?s)Total Samples = [1-9]\d*\nTraced Time = .*Process +FREQ +Total Kernel +User Shared +Other\n.*\nwait +\d+ +\d+.*\n/usr/bin/ftp +1 +[1-9]`, true
	}
	return "", false
}

// TestFieldLines runs every command line of the table on a lab and says how
// many gave what they have to give.
func TestFieldLines(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	lines := fieldLines(t)
	l := up(t, filepath.Join("testdata", "field.yaml"))
	for node, servers := range map[string]string{"peer": "netserver; iperf -s >/dev/null 2>&1 &", "hostb": "iperf -s -D;"} {
		run(t, l, node, "", servers+" sleep 0.5")
	}
	ran, of := 0, 0
	var sessions = map[bool]string{}
	for _, x := range lines {
		of++
		name := fmt.Sprintf("%s:%d %s", x.article[:3], x.number, x.command)
		if mark, ok := session(x); ok {
			second := x.number > 220
			if sessions[second] == "" {
				sessions[second] = ftpSession(t, l)
			}
			if !regexp.MustCompile(mark).MatchString(sessions[second]) {
				t.Errorf("%s: %q is not in\n%s", name, mark, sessions[second])
				continue
			}
			ran++
			continue
		}
		node, user := where(x)
		command := fill(x)
		switch {
		case x.group == "iperf" && strings.Contains(command, " -s"):
			command = "timeout 1 " + command
		case x.group == "trace":
			// The article's line ends where its continuation begins.
			command += " -o ftp.trc && trcon && sleep 0.2 && trcoff && trcstop && trcrpt ftp.trc | grep -q '001 ' && rm ftp.trc"
		}
		free := strings.HasPrefix(x.article, "004") && x.group == "chdev" // on a port whose interface is detached
		if free {
			run(t, l, node, user, "ifconfig en0 detach")
		}
		if x.group == "seastat" { // it lists clients that have sent
			run(t, l, "lpar1", "", "ping -c 1 192.168.40.9")
		}
		marks := traces(x)
		before := answers(t, l, node, marks)
		out, errs, exit := run(t, l, node, user, command)
		after := answers(t, l, node, marks)
		if free {
			run(t, l, node, user, "chdev -l en0 -a state=up")
		}
		wantOut, wantErrs, wantExit := want(x)
		good := regexp.MustCompile(wantOut).MatchString(out) && regexp.MustCompile(wantErrs).MatchString(errs) &&
			(exit == wantExit || wantExit == -1 && exit != 0)
		if good && wantExit == 0 && x.group == "chdev" {
			good = recorded(t, l, node, command)
		}
		if !good {
			t.Errorf("%s: on %s: %s: got exit %d\n%s%s\nwant exit %d, %q, on stderr %q",
				name, node, command, exit, out, errs, wantExit, wantOut, wantErrs)
			continue
		}
		if left(t, name, marks, before, after) {
			ran++
		}
	}
	t.Logf("%d of %d command lines run", ran, of)
	if of == 0 || ran < of {
		t.Errorf("%d of %d command lines run, want all", ran, of)
	}
}

// ftpSession is one file sent under tprof, and what tprof wrote about it.
func ftpSession(t *testing.T, l *lab.Lab) string {
	t.Helper()
	script := `open 192.168.20.11\nroot\nroot\nput "| dd if=/dev/zero bs=3350000 count=30" /dev/null\nbye\n`
	out, errs, exit := run(t, l, "lpar1", "", "printf '"+script+"' | tprof -z -Askex ftp; vi ftp.prof")
	if exit != 0 {
		t.Errorf("tprof -z -Askex ftp: got exit %d, %s", exit, errs)
	}
	return out
}

var pair = regexp.MustCompile(`\b([a-z][a-z0-9_]*)=(\S+)`)

// recorded checks that the database has what a chdev set.
func recorded(t *testing.T, l *lab.Lab, node, command string) bool {
	t.Helper()
	words := strings.Fields(command)
	device := ""
	for i, w := range words {
		if w == "-l" || w == "-dev" {
			device = words[i+1]
		}
	}
	for _, p := range pair.FindAllStringSubmatch(command, -1) {
		out, _, _ := run(t, l, node, "root", fmt.Sprintf("lsattr -El %s -a %s -F value", device, p[1]))
		if !slices.Contains(strings.Fields(out), p[2]) {
			t.Errorf("%s: %s: lsattr says %s=%s", node, command, p[1], strings.TrimSpace(out))
			return false
		}
	}
	return true
}
