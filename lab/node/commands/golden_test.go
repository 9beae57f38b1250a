package commands_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestOutputs compares what every command prints on a fresh lab.
func TestOutputs(t *testing.T) {
	groups := map[string][][2]string{
		"lpar": {
			{"lpar1", "lsattr -El en0"}, {"lpar1", "lsattr -EHl en0 -a mtu -a mtu_bypass"}, {"lpar1", "lsattr -Dl en0 -a mtu"},
			{"lpar1", "lsattr -El en0 -F attribute:value -a mtu"},
			{"lpar1", "lsattr -Rl en0 -a mtu_bypass"}, {"lpar1", "lsattr -Rl ent0 -a min_buf_tiny"},
			{"lpar1", "lsattr -El ent0"}, {"lpar1", "lsattr -Ol ent0 -E -a chksum_offload -a buf_mode"},
			{"lpar1", "lsattr -El sys0 -a systemid -a modelname"}, {"lpar1", "lsattr -El inet0"},
			{"lpar1", "lsattr -El en9"}, {"lpar1", "lsattr -El en0 -a nosuch"},
			{"lpar1", "lsattr -Z"}, {"lpar1", "lsattr"},
			{"lpar1", "lsdev -C"}, {"lpar1", "lsdev -Cc adapter"}, {"lpar1", "lsdev -Cc if"},
			{"lpar1", "lsdev -Cl ent0 -F name:class:subclass:type"},
			{"lpar1", "lsdev -CHS a -c adapter"}, {"lpar1", "ifconfig -a"},
			{"lpar1", "ifconfig en0"}, {"lpar1", "ifconfig -l"}, {"lpar1", "ifconfig en7"},
			{"lpar1", "netstat -in"}, {"lpar1", "netstat -rn"}, {"lpar1", "arp -an"}, {"lpar1", "arp -d x"},
			{"lpar1", "netstat -s"}, {"lpar1", "netstat -p tcp"}, {"lpar1", "netstat -p nosuch"}, {"lpar1", "netstat -x"},
			{"lpar1", "entstat ent0"}, {"lpar1", "entstat -d ent0"}, {"lpar1", "entstat -d en0"}, {"lpar1", "entstat -d ent9"}, {"lpar1", "entstat"},
			{"lpar1", "no -o tcp_recvspace -o tcp_sendspace"}, {"lpar1", "no -L tcp_sendspace"},
			{"lpar1", "no -o nosuch"}, {"lpar1", "no -x sb_max"},
			{"lpar1", "lparstat -i"}, {"lpar1", "oslevel -s"}, {"lpar1", "oslevel"}, {"lpar1", "oslevel -r"},
			{"lpar1", "uname -a"}, {"lpar1", "uname"}, {"lpar1", "uname -M"}, {"lpar1", "uname -sn"},
			{"lpar1", "uname -rv"}, {"lpar1", "prtconf"}, {"lpar1", "errpt"}, {"lpar1", "ioslevel"},
			{"lpar1", "lparstat 1 1"}, {"lpar1", "chdev -l entX-a min_buf_huge=64 -P"}, {"lpar1", "chdev"}, {"lpar1", "ioscli lsdev"},
		},
		"vios": {
			{"padmin@vios1", "lsdev"}, {"padmin@vios1", "lsdev -dev ent5"},
			{"padmin@vios1", "lsdev -dev ent5 -attr"}, {"padmin@vios1", "lsdev -dev ent5 -attr largesend"},
			{"padmin@vios1", "lsdev -dev ent0 -attr"}, {"padmin@vios1", "lsdev -dev ent5 -range ha_mode"}, {"padmin@vios1", "lsdev -type adapter"},
			{"padmin@vios1", "lsdev -virtual"}, {"padmin@vios1", "lsdev -slots"}, {"padmin@vios1", "lsdev -dev ent99"},
			{"padmin@vios1", "lsmap -all -net"}, {"padmin@vios1", "lsmap -all -net -fmt :"},
			{"padmin@vios1", "ioslevel"}, {"padmin@vios1", "entstat -all ent5"}, {"padmin@vios1", "netstat -state -num"},
			{"padmin@vios1", "lsattr -El ent0"}, {"padmin@vios1", "ioscli lsdev -dev ent5"},
			{"vios1", "lsattr -El ent5"}, {"vios1", "ioscli lsmap -all -net"}, {"vios1", "ioscli nosuch"},
			{"vios1", "lsmap -all -net"}, {"vios1", "netstat -v"}, {"vios1", "oslevel -s"}, {"vios1", "ifconfig -a"},
			{"vios1", "lsdev -Cc adapter"},
		},
	}
	for name, lines := range groups {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, "two-systems")
			var b strings.Builder
			for _, x := range lines {
				out, errs, status := l.run(x[0], x[1])
				fmt.Fprintf(&b, "%s # %s\n%s", x[0], x[1], out)
				if errs != "" {
					fmt.Fprintf(&b, "stderr:\n%s", errs)
				}
				if status != 0 {
					fmt.Fprintf(&b, "status: %d\n", status)
				}
				b.WriteString("\n")
			}
			file := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s (-want +got), rewrite with -update:\n%s", file, diff)
			}
		})
	}
}
