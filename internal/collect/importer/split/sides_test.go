package split

import (
	"slices"
	"strings"
	"testing"
)

// Headings in which people say of which host the outputs below are part a text; words of outputs, of one host and of sentences do not.
func TestSides(t *testing.T) {
	for text, want := range map[string]string{
		"On the client:|#|On the server:|#":                                                 "client, server",
		"## Client|#|## Server|#":                                                           "client, server",
		"**Client:**|#|**Server:**|#":                                                       "client, server",
		"client side:|#|server side:|#":                                                     "client, server",
		"on server A:|#|on server B:|#":                                                     "server-a, server-b",
		"vios1 output:|#|vios2 output:|#":                                                   "vios1, vios2",
		"Output from lpar7:|#|Output from lpar8:|#":                                         "lpar7, lpar8",
		"Auf dem Sender:|#|Auf dem Empfänger:|#":                                            "sender, empfänger",
		"Ausgabe von db1:|#|Ausgabe von db2:|#":                                             "db1, db2",
		"Côté client :|#|Côté serveur :|#":                                                  "client, serveur",
		"Sur le nœud 1 :|#|Sur le nœud 2 :|#":                                               "nœud-1, nœud-2",
		"=== node web1 ===|#|=== node web2 ===|#":                                           "web1, web2",
		"Outputs of web:|# ip addr|and outputs of db4:|# ip addr|Outputs of db5:|# ip addr": "web, db4, db5",
		"Outputs of db4:|# ip addr|Outputs of db5:|# ip addr|Output of the network:|ping":   "db4, db5",
		"First server:|#|Second server:|#":                                                  "first-server, second-server",
		"# 1st minion node|#|# 2nd minion node|#":                                           "1st-minion-node, 2nd-minion-node",
		"- Bastion host|#|- SNO host|#":                                                     "bastion-host, sno-host",
		"Linux host (192.0.2.1) shows|#|AIX shows:|#":                                       "linux-host, aix",
		"On AIX:|#|On Linux:|#":                                                             "aix, linux",
		"master: |#|slave: |#":                                                              "master, slave",
		"On the host:|#|In the guest:|#":                                                    "",
		"Host:|#|Guest:|#":                                                                  "host, guest",
		"ip addr|# ip addr|On the other node:|#":                                            "first-host, other-node",
		"words alone|On the other node:|#":                                                  "",
		"Operating system:|#|File system:|#":                                                "",
		"the first server is slow|#|the second server|#":                                    "",
		"Client:|#":                                           "",
		"the client|#|the server|#":                           "",
		"Source: 192.0.2.1|#|Target: 192.0.2.2|#":             "",
		"Step1:|#|Step2:|#":                                   "",
		"On the client we see no loss.|#|On the server much.": "",
	} {
		var lines []string
		for part := range strings.SplitSeq(text, "|") {
			lines = append(lines, "\n", part+"\n")
		}
		var got []string
		heads := map[int]mark{}
		addSides(heads, lines)
		for i := range lines {
			if m, ok := heads[i]; ok {
				got = append(got, m.Host)
			}
		}
		if strings.Join(slices.Compact(got), ", ") != want {
			t.Errorf("%s: got %v, want %s", text, got, want)
		}
	}
}
