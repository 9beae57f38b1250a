package assemble_test

import (
	"fmt"
	"testing"

	"seaworthy/internal/inventory/model"
)

// Both forms of errpt tell of lost links, and of hosts with an address of this one.
func TestErrpt(t *testing.T) {
	const adapter = "ent0 Available 02-08 PCIe3 4-Port 10GbE SR Adapter\n"
	for _, c := range []struct{ name, text, want string }{
		{"short", "IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION\nDD2E9242   0410145714 T H ent0           Physical link down\n" +
			"FE2DEE00   0410145514 P S SYSXAIXIF      DUPLICATE IP ADDRESS DETECTED IN THE NET\n", "1 1"},
		{"-a", "LABEL:          LNCENT_PLINK_DOWN\nIDENTIFIER:     DD2E9242\nResource Name:   ent0\n\nDescription\nPhysical link down\n" +
			"---------------------------------------------------------------------------\nLABEL:          AIXIF_ARP_DUP_ADDR\n" +
			"IDENTIFIER:     FE2DEE00\nResource Name:   SYSXAIXIF\n", "1 1"},
		{"none", "", "0 0"},
	} {
		h := host(model.AIX, text("lsdev-Cc-adapter", "", adapter), text("errpt", "", c.text))
		down, _ := h.Elements["ent0"].Counters.Get("errpt link down")
		if got := fmt.Sprint(down, " ", h.Figures[model.DuplicateIP].Value); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// The details of errpt -a say in hexadecimal who has the address; other labels are counted too.
func TestErrptDetails(t *testing.T) {
	const ruler = "---------------------------------------------------------------------------\n"
	h := host(model.AIX, text("lsdev-Cc-adapter", "", "ent3 Available  Logical Host Ethernet Port (lp-hea)\n"), text("errpt", "",
		"LABEL:          AIXIF_ARP_DUP_ADDR\nIDENTIFIER:     FE2DEE00\nResource Name:   SYSXAIXIF\n\nDescription\n"+
			"DUPLICATE IP ADDRESS DETECTED IN THE NET\n\nDetail Data\nDUPLICATE IP ADDRESS\nC000 0237\nMAC ADDRESS\n0200 0000 7788\n"+ruler+
			"LABEL:          PEND_LOW_MBUFS\nIDENTIFIER:     E9B4EB4B\nResource Name:   SYSNET\n"+ruler+
			"LABEL:          HEA_INFO\nIDENTIFIER:     B8FBD189\nResource Name:   ent3\n"))
	if got, want := h.Figures[model.DuplicateIP].From.Text, "MAC address 02:00:00:00:77:88 answers for 192.0.2.55"; got != want {
		t.Errorf("duplicate address: got %q, want %q", got, want)
	}
	if got := h.Figures[model.LowMbufs].Value; got != 1 {
		t.Errorf("low mbufs: got %v, want 1", got)
	}
	if got, _ := h.Elements["ent3"].Counters.Get("errpt frames refused"); got != 1 {
		t.Errorf("frames refused: got %d, want 1", got)
	}
}

// Refused requests for mbufs are added up over sizes and CPUs; a table by type holds them once more.
func TestMbufs(t *testing.T) {
	h := host(model.AIX, text("netstat-m", "", "Kernel malloc statistics:\n\n******* CPU 0 *******\n"+
		"By size           inuse     calls failed   delayed    free   hiwat   freed\n64 523 1234567 0 12 245 5240 0\n2048 1045 99887766 31 520 11 2620 0\n\n"+
		"******* CPU 1 *******\nBy size           inuse     calls failed   delayed    free   hiwat   freed\n2048 10 766 11 0 11 2620 0\n\n"+
		"By type           inuse     calls failed   delayed  memuse  memmax    mapb\nmbuf 1024 7654321 42 0 262144 999999 0\n"))
	if got := h.Figures[model.MbufsFailed].Value; got != 42 {
		t.Errorf("got %v failed, want 42", got)
	}
}
