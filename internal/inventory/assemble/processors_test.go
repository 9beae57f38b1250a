package assemble_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

func output(id, command, text string) assemble.Output {
	return assemble.Output{ID: id, Command: command, Text: []byte(text)}
}

const interval = `
System configuration: type=Shared mode=Uncapped smt=4 lcpu=16 mem=8192MB psize=8 ent=2.00

%user  %sys  %wait  %idle physc %entc  lbusy   app  vcsw phint
----- ----- ------ ------ ----- ----- ------   --- ----- -----
 40.0  10.0    0.0   50.0  1.00  50.0   12.0  4.00  1000     1
 60.0  20.0    0.0   20.0  3.00 150.0   40.0  2.00  1000     1
`

// What several outputs say of the whole host, and what they leave open.
func TestFigures(t *testing.T) {
	const list = "ent0   Available 00-00 PCIe3 4-Port 10GbE SR Adapter\nvhost0 Available       Virtual SCSI Server Adapter\nvhost1 Defined         Virtual SCSI Server Adapter\n"
	partition := func(mode string) string {
		return "Node Name                                  : h1\nType                                       : Shared-SMT-4\nMode                                       : " + mode +
			"\nEntitled Capacity                          : 2.00\nOnline Virtual CPUs                        : 6\n"
	}
	tests := []struct {
		name    string
		outputs []assemble.Output
		want    map[string]float64
	}{
		{"virtual SCSI", []assemble.Output{output("lsdev-Cc-adapter", "lsdev -Cc adapter", list)}, map[string]float64{"vhosts": 1}},
		{"none", []assemble.Output{output("lsdev-Cc-adapter", "lsdev -Cc adapter", list[:strings.Index(list, "vhost0")])}, map[string]float64{"vhosts": 0}},
		{"none in a damaged list", []assemble.Output{output("lsdev-Cc-adapter", "lsdev -Cc adapter", list[:strings.Index(list, "vhost0")]+"v\xff\xfest0 Avail\n")}, nil},
		{"none in a list of something else", []assemble.Output{output("lsdev-Cc-adapter", "lsdev -Cc disk", "hdisk0 Available  Virtual SCSI Disk Drive\n")}, nil},
		{"an interval", []assemble.Output{output("lparstat", "lparstat 1 2", interval)}, map[string]float64{"cores_used": 2, "cpu_busy_percent": 65}},
		{"two intervals are one", []assemble.Output{output("lparstat", "lparstat 1 2", interval), output("lparstat", "lparstat 1 1",
			interval[:len(interval)-len(" 60.0  20.0    0.0   20.0  3.00 150.0   40.0  2.00  1000     1\n")])}, map[string]float64{"cores_used": 5.0 / 3, "cpu_busy_percent": 60}},
		{"dashes are no zeros", []assemble.Output{output("lparstat", "lparstat 1 1", "System configuration: type=Shared mode=Capped smt=4 lcpu=16 mem=8192MB psize=8 ent=2.00\n\n%user  %sys  %wait  %idle physc %entc\n----- ----- ------ ------ ----- -----\n    -     -      -      -     -     -\n")}, map[string]float64{"cores_limit": 2}},
		{"since the boot", []assemble.Output{output("lparstat", "lparstat", interval[:strings.LastIndex(interval[:len(interval)-1], "\n")+1]),
			output("ps-etime", "ps -o etime= -p 1", "  2-00:00:10\n")}, map[string]float64{"cores_since_boot": 1, "uptime_s": 172810}},
		{"since the boot, dedicated", []assemble.Output{output("lparstat", "lparstat", "System configuration: type=Dedicated mode=Capped smt=4 lcpu=12 mem=24576MB\n\n"+
			"%user  %sys  %wait  %idle  %nsp\n----- ----- ------ ------ -----\n 50.0  25.0    0.0   25.0    76\n"),
			output("lparstat-i", "lparstat -i", strings.Replace(partition("Capped"), "Shared-SMT-4", "Dedicated-SMT-4", 1))},
			map[string]float64{"cores_since_boot": 4.5, "cores_limit": 6}},
		{"the clock", []assemble.Output{output("prtconf", "prtconf", "System Model: IBM,9009-22A\nProcessor Clock Speed: 3900 MHz\n")}, map[string]float64{"clock_mhz": 3900}},
		{"a clock that is none", []assemble.Output{output("prtconf", "prtconf", "System Model: IBM,9009-22A\nProcessor Clock Speed: 3,9 GHz\n")}, nil},
		{"ps that was refused", []assemble.Output{output("ps-etime", "ps -o etime= -p 1", "ps: There is no process 1.\n")}, nil},
		{"uncapped", []assemble.Output{output("lparstat-i", "lparstat -i", partition("Uncapped"))}, map[string]float64{"cores_limit": 6}},
		{"capped", []assemble.Output{output("lparstat-i", "lparstat -i", partition("Capped"))}, map[string]float64{"cores_limit": 2}},
		{"mode not known", []assemble.Output{output("lparstat-i", "lparstat -i", partition(""))}, nil},
		{"rules agree", []assemble.Output{output("rules-diff", "ioscli rules -o diff -s -d", "")}, map[string]float64{"rules_differ": 0}},
		{"rules differ", []assemble.Output{output("rules-diff", "ioscli rules -o diff -s -d", "devParam.adapter.pseudo.sea:x device=adapter/pseudo/sea 1 | 2\n")}, map[string]float64{"rules_differ": 1}},
		{"rules were not compared", []assemble.Output{output("rules-diff", "ioscli rules -o diff -s -d", "rksh: rules:  not found.\n")}, nil},
		{"rules failed without a word", []assemble.Output{{ID: "rules-diff", Command: "ioscli rules -o diff -s -d", Exit: 255}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := assemble.Host(assemble.About{Name: "vios1", Platform: model.VIOS}, tt.outputs)
			var got map[string]float64
			for name, f := range h.Figures {
				if got == nil {
					got = map[string]float64{}
				}
				got[name] = f.Value
				if f.From.Command == "" {
					t.Errorf("%s: no command it comes from", name)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("figures (-want +got):\n%s\ngaps: %v", diff, h.Gaps)
			}
		})
	}
}

func TestFixes(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "lpar1", Platform: model.AIX}, []assemble.Output{output("instfix-ik", "instfix -ik ...",
		"    All filesets for IV00001 were found.\n    Not all filesets for IV00002 were found.\n    There was no data for IV00003 in the fix database.\n    Alle Dateigruppen von IV00004 wurden gefunden.\n")})
	if diff := cmp.Diff(map[string]bool{"IV00001": true, "IV00002": false, "IV00003": false}, h.Fixes); diff != "" {
		t.Errorf("fixes (-want +got):\n%s", diff)
	}
}
