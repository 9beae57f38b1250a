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
