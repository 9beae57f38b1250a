package commands

import "testing"

func FuzzKernelRoute(f *testing.F) {
	f.Add("en0	00000000	FE0A0A0A	0003	0	0	0	00000000	0	0	0")
	f.Add("Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask")
	f.Fuzz(func(t *testing.T, line string) {
		if r, ok := kernelRoute(line); ok && (r.Destination == "" || r.Interface == "" || r.Flags == "") {
			t.Errorf("%q: got %+v, want destination, interface and flags", line, r)
		}
	})
}

func FuzzKernelSocket(f *testing.F) {
	f.Add("0: 0B0A0A0A:A80E 0C0A0A0A:1389 01 00000010:00000020 01:00000014")
	f.Add("0: 00000000000000000000000000000000:1389 0000000000000000FFFF00000C0A0A0A:A80F 0A 00000000:00000000")
	f.Add("sl  local_address rem_address   st tx_queue rx_queue")
	f.Fuzz(func(t *testing.T, line string) {
		if s, ok := kernelSocket(line); ok && (!s.local.IsValid() || !s.remote.IsValid()) {
			t.Errorf("%q: got %+v, want both ends", line, s)
		}
	})
}
