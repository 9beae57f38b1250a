package entstat_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect/aix/entstat"
)

// What is built is printed as a switch's answer is, and read back as it was.
func TestAddLACP(t *testing.T) {
	want := entstat.LACP{
		Actor: entstat.LACPState{SystemPriority: "0x8000", System: "02-00-00-00-00-03", Key: "0xBEEF", PortPriority: "0x0080", Port: "0x0001", Activity: "Active", Timeout: "Long",
			Aggregation: "Aggregatable", Synchronization: "IN_SYNC", Collecting: "Enabled", Distributing: "Enabled", Defaulted: "False", Expired: "False"},
		Partner: entstat.LACPState{SystemPriority: "0x0000", System: "02-00-00-00-00-09", Key: "0x0002", PortPriority: "0x0000", Port: "0x0017", Activity: "Passive", Timeout: "Short",
			Aggregation: "Individual", Synchronization: "OUT_OF_SYNC", Collecting: "Disabled", Distributing: "Disabled", Defaulted: "True", Expired: "True"},
	}
	s := entstat.New(entstat.Head{Name: "ent0", DeviceType: "2-Port 10/100/1000 Base-TX PCI-X Adapter (14108902)"})
	s.AddLACP(want)
	text := string(entstat.Format(s))
	got, err := entstat.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got.LACP()); diff != "" {
		t.Errorf("read back (-want +got):\n%s\n%s", diff, text)
	}
	for _, line := range []string{"IEEE 802.3ad Port Statistics:\n----", "\n\tActor State: \n\t\tLACP activity: Active\n", "\n\n\tPartner System Priority: 0x0000\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is missing in\n%s", line, text)
		}
	}
}
