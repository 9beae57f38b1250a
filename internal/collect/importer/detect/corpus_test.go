package detect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
)

// wanted is the kind of every file of a corpus folder. Folders of files that
// hold several commands are the cutter's and the importer's.
var wanted = map[string]string{
	"entstat_etherchannel": "entstat-d", "entstat_physical": "entstat-d", "entstat_sea": "entstat-d", "entstat_virtual": "entstat-d",
	"errpt": "errpt", "ifconfig_a": "ifconfig-l", "lparstat": "lparstat", "lparstat_H": "lparstat-H", "lparstat_i": "lparstat-i",
	"lsattr_if": "lsattr-El", "lscfg": "lscfg", "lsdev": "lsdev-Cc-adapter", "lsdev_adapter": "lsdev-Cc-adapter", "lsmcode": "lsmcode",
	"mpstat": "mpstat", "netstat_in": "netstat-in", "netstat_rn": "netstat-rn", "netstat_s": "netstat-s", "no_FL": "no-L",
	"oslevel": "oslevel-s", "other_lssrad": "lssrad", "other_vmo_FL": "vmo", "prtconf": "prtconf", "seastat": "seastat", "vnicstat": "vnicstat",
	"iperf": "iperf", "smtctl": "smtctl",
}

// exceptions are files that differ from their folder.
var exceptions = map[string]string{
	"hmc_lshwres/ziutus-9131-proc-lpar.txt": "hmc-lshwres-proc", "hmc_lshwres/ziutus-9131-virtual-eth.txt": "hmc-lshwres-eth",
	"hmc_lshwres/ziutus-9131-virtual-slot.txt": "hmc-lshwres-slot", "hmc_lssyscfg/ziutus-9131-lpar.txt": "hmc-lssyscfg-lpar",
	"hmc_lssyscfg/ziutus-9131-prof.txt": "hmc-lssyscfg-prof", "hmc_lssyscfg/ziutus-lshmc-V.txt": "hmc-lshmc",
	"lparstat_i/facter-lparstat-W-partial.txt": "lparstat-W",
	"other/pslq-fcstat-e-fcs0.txt":             "fcstat", "other/pslq-vmstat-sv.txt": "vmstat",
	"ifconfig_a/qemu-mail-aix72-largesend-14c0.txt": "ifconfig-a", "ifconfig_a/qemu-mail-aix72-no-checksum-flag.txt": "ifconfig-a",
	"hmc_lpar_netboot/blog-p10-adapters.txt": "hmc-lpar-netboot", "hmc_lshwres/blog-p10-io-slot-F.txt": "hmc-lshwres-io",
	"hmc_lshwres/hmcmcp-p9-sriov-adapter.txt": "hmc-lshwres-sriov", "hmc_lshwres/hmcmcp-p9-sriov-physical-ports.txt": "hmc-lshwres-sriov",
	"hmc_lshwres/hmcmcp-p9-vnic-vnic-readback.txt": "hmc-lshwres-vnic", "hmc_lshwres/ziutus-9131-io-slot.txt": "hmc-lshwres-io",
	"hmc_lshwres/ziutus-9131-mem-lpar.txt": "hmc-lshwres-mem", "hmc_lshwres/ziutus-9131-virtual-scsi.txt": "hmc-lshwres",
	"hmc_lssyscfg/blog-p10-lssysconn-ebmc.txt": "hmc-lssysconn", "hmc_lssyscfg/hmcmcp-p9-sriov-hmc-version.txt": "hmc-lshmc",
	"hmc_lssyscfg/hmcmcp-p9-sriov-profile-before.txt": "hmc-lssyscfg-prof", "hmc_lssyscfg/ziutus-lshmc-n.txt": "hmc-lshmc",
	"other/pslq-netstat-aon-cut.txt": "netstat-an", "other/sysmon-vmstat-Iwt.txt": "vmstat",
	// Several commands in one log, each line behind a host's name, a message in Polish.
	"aix_snapshot": "", "vios_lsdev": "", "hmc_errors": "", "nmon_file": "", "lsseas_report": "",
}

// The name is withheld: what a file is must show from its content alone.
func TestCorpus(t *testing.T) {
	right, all := 0, 0
	for _, file := range draw.OneIn(t, 8, codectest.Files(t, "*/*.txt")) {
		folder := filepath.Base(filepath.Dir(file))
		name := folder + "/" + filepath.Base(file)
		want, known := exceptions[name]
		if !known {
			want = wanted[folder]
		}
		if _, skip := exceptions[folder]; skip {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all++
		f, ok := Text(text, Hint{})
		switch {
		case !ok:
			t.Errorf("%s: not recognised, want %s", name, want)
		case f.ID != want:
			t.Errorf("%s: got %s (%d of %d lines), want %s", name, f.ID, f.Understood(), f.Report.Lines, want)
		default:
			right++
		}
	}
	t.Logf("%d of %d files are what they are", right, all)
}

// No file of the corpus may be taken for something else because its end or its
// beginning is missing.
func TestCorpusCut(t *testing.T) {
	for _, file := range draw.OneIn(t, 8, codectest.Files(t, "*/*.txt")) {
		folder := filepath.Base(filepath.Dir(file))
		name := folder + "/" + filepath.Base(file)
		want, known := exceptions[name]
		if !known {
			want = wanted[folder]
		}
		if want == "" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range [][]byte{text[:len(text)/2], text[:len(text)*9/10]} {
			f, ok := Text(cut, Hint{})
			if ok && family(f.ID) != family(want) {
				t.Errorf("%s cut to %d of %d bytes: got %s, want %s or nothing", name, len(cut), len(text), f.ID, want)
			}
		}
	}
}

// family joins the forms of one command: half a list of devices can be a list
// of interfaces.
func family(id string) string {
	base, _, _ := strings.Cut(id, "-")
	return base
}
