package assemble_test

import (
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// What runs in a partition that nobody read is what the HMC says of it; where two
// systems have partitions of one name and number, it is not known.
func TestWhatRunsInAPartition(t *testing.T) {
	const eth = "lpar_name=db,lpar_id=3,slot_num=2,is_trunk=0,port_vlan_id=1,mac_addr=020000000302\n"
	for _, c := range []struct {
		name, lshwres string
		lssyscfg      [][2]string // command, text
		want          model.Platform
		whole         bool
	}{
		{"IBM i", "lshwres -r virtualio --rsubtype eth --level lpar -m s1", [][2]string{{"lssyscfg -r lpar -m s1", "name=db,lpar_id=3,lpar_env=os400,os_version=Unknown\n"}}, model.IBMi, true},
		{"AIX says so itself", "lshwres -r virtualio --rsubtype eth --level lpar", [][2]string{{"lssyscfg -r lpar -m s1", "name=db,lpar_id=3,lpar_env=aixlinux,os_version=AIX 7.2 7200-05-03-2148\n"}}, model.AIX, true},
		{"Linux says so itself", "lshwres -r virtualio --rsubtype eth", [][2]string{{"lssyscfg -r lpar", "name=db,lpar_id=3,lpar_env=aixlinux,os_version=Linux/Red Hat 4.18.0 8.4\n"}}, model.Linux, false},
		{"AIX or Linux, not running", "lshwres -r virtualio --rsubtype eth --level lpar -m s1 --filter lpar_names=db", [][2]string{{"lssyscfg -r lpar -m s1", "name=db,lpar_id=3,lpar_env=aixlinux,os_version=Unknown\n"}}, "", false},
		{"another number", "lshwres -r virtualio --rsubtype eth --level lpar -m s1", [][2]string{{"lssyscfg -r lpar -m s1", "name=db,lpar_id=4,lpar_env=os400\n"}}, "", true},
		{"another system", "lshwres -r virtualio --rsubtype eth --level lpar -m s1", [][2]string{{"lssyscfg -r lpar -m s2", "name=db,lpar_id=3,lpar_env=os400\n"}}, "", true},
		{"two systems, the list's is not named", "lshwres -r virtualio --rsubtype eth --level lpar", [][2]string{
			{"lssyscfg -r lpar -m s1", "name=db,lpar_id=3,lpar_env=os400\n"}, {"lssyscfg -r lpar -m s2", "name=db,lpar_id=3,lpar_env=aixlinux,os_version=AIX 7.2\n"}}, "", true},
		{"cut by a pipe", "lshwres -r virtualio --rsubtype eth --level lpar -m s1 | grep db", nil, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			outputs := []assemble.Output{{ID: "hmc-lshwres-eth", Command: c.lshwres, Text: []byte(eth)}}
			for _, x := range c.lssyscfg {
				outputs = append(outputs, assemble.Output{ID: "hmc-lssyscfg-lpar", Command: x[0], Text: []byte(x[1])})
			}
			got := assemble.HMC(assemble.About{Name: "hmc1"}, outputs)
			if len(got.Adapters) != 1 || got.Adapters[0].Runs != c.want {
				t.Errorf("got %+v, want one adapter, of a partition that runs %q", got.Adapters, c.want)
			}
			if whole := len(got.Whole) == 1; whole != c.whole {
				t.Errorf("whole: got %v, want %t", got.Whole, c.whole)
			}
		})
	}
}
