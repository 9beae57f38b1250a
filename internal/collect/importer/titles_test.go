package importer

import (
	"strings"
	"testing"
)

// titled puts a command and what it printed into a document.
var titled = map[string]func(command, text string) string{
	"LaTeX": func(command, text string) string {
		return "\\subsection{" + command + "}\n\\begin{verbatim}\n" + text + "\\end{verbatim}\n"
	},
	"Textile": func(command, text string) string { return "@" + command + "@\n<pre>\n" + text + "</pre>\n\n" },
	"a wiki": func(command, text string) string {
		return "'''" + command + "'''\n " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n ") + "\n\n"
	},
	"a stored page": func(command, text string) string {
		return "<p><code>" + command + `</code></p><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[` + text +
			"]]></ac:plain-text-body></ac:structured-macro>\n"
	},
	"numbered titles": func(command, text string) string { return "1.2 " + command + "\n\n" + text + "\n" },
}

// Titles of documents are read as command lines, also of commands that print the host's name alone.
func TestTitlesOfDocuments(t *testing.T) {
	outputs := []saved{
		{"uname -n", "web9\n"}, {"ip addr", portLines}, {"ethtool eth0", settingLines},
		{"sysctl net.ipv4.tcp_rmem net.core.rmem_max", "net.ipv4.tcp_rmem = 4096\t131072\t6291456\nnet.core.rmem_max = 212992\n"},
	}
	for name, form := range titled {
		var text strings.Builder
		for _, o := range outputs {
			text.WriteString(form(o.command, o.text))
		}
		parts, _, refused := readJoined(t, text.String())
		if len(refused) > 0 {
			t.Errorf("%s: refused: %v", name, refused)
		}
		read := map[string]bool{}
		for _, p := range parts {
			read[p.found.Kind] = true
			if p.Host != "web9" {
				t.Errorf("%s: %s is of %q, want web9", name, p.found.Kind, p.Host)
			}
		}
		for _, kind := range []string{"ip addr", "ethtool eth0", "sysctl"} {
			found := false
			for is := range read {
				found = found || strings.HasPrefix(is, strings.Fields(kind)[0])
			}
			if !found {
				t.Errorf("%s: %s was not read: %v\n%s", name, kind, read, text.String())
			}
		}
	}
}

// A kernel log that another output follows without a line between them is not all of the text.
func TestOutputBehindLog(t *testing.T) {
	const log = "[    2.118231] ibmvnic 30000002 (unnamed net_device): Initializing\n[  812.441102] ibmvnic 30000002 env2: Reset reason: mobility\n"
	const counters = "NIC statistics:\n     rx_packets: 81234567\n     tx_packets: 71234567\n     rx_dropped: 7\n     no_rx_buffers: 9\n"
	parts, _, _ := readJoined(t, log+log+"\n"+counters)
	if len(parts) != 2 || parts[0].found.ID != "dmesg" || parts[1].found.ID != "ethtool-S" {
		t.Errorf("got %d parts, want a log and counters: %+v", len(parts), parts)
	}
}
