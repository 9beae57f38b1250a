package assemble_test

import (
	"slices"
	"testing"

	"seaworthy/internal/inventory/model"
)

// Names and NFS of a host.
func TestServices(t *testing.T) {
	h := host(model.AIX,
		text("resolv-conf", "", "nameserver 192.0.2.53\noptions timeout:1 attempts:2\n"),
		text("netsvc-conf", "", "hosts = local4, bind4\n"),
		text("nfsstat", "", "Client rpc:\nConnection oriented\ncalls      badcalls   timeouts\n900        0          7\n/d from nas:/d\n Flags:   vers=3,proto=tcp,rsize=65536\n"))
	r := h.Resolver
	if r == nil || !slices.Equal(r.Servers, []string{"192.0.2.53"}) || r.Timeout == nil || *r.Timeout != 1 || !slices.Equal(r.Order, []string{"local4", "bind4"}) {
		t.Errorf("names: got %+v", r)
	}
	if n, ok := h.Protocols.Get("nfs.client.connection.timeouts"); n != 7 || !ok {
		t.Errorf("timeouts: got %d %v, want 7", n, ok)
	}
	if len(h.NFSMounts) != 1 || h.NFSMounts[0].Options["rsize"] != "65536" {
		t.Errorf("mounts: got %+v", h.NFSMounts)
	}
}

// What errpt, lsmcode, lsdev and route get say beside the devices.
func TestSoftwareAndErrors(t *testing.T) {
	h := host(model.VIOS,
		text("lsdev-Cc-adapter", "", "ent0 Available 00-00 PCIe2 2-Port 10GbE RoCE SFP+ Adapter\n"),
		text("lsdev-ddins", "", "ent0 mlxentdd\n"),
		text("lsmcode", "", "sys0!system:VL940_050 (t) VL940_041 (p) VL940_050 (t)\nent0!b315506714101604.010522\n"),
		text("route-get", "", "   route to: db\n recvpipe  sendpipe  ssthresh  rtt,msec    rttvar  hopcount      mtu     expire\n 0 0 0 45000 9 0 0 0\n"),
		text("errpt", "", "IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION\n8650BE3F   1126120026 I H ent3           ETHERCHANNEL FAILOVER\n8650BE3F   1126110026 I H ent3           ETHERCHANNEL FAILOVER\n"))
	e := h.Elements["ent0"]
	if e == nil || e.Module != "mlxentdd" || e.Firmware != "010522" || h.SystemFirmware != "VL940_050" {
		t.Errorf("got %+v, system firmware %s", e, h.SystemFirmware)
	}
	if got := h.Figures[model.RouteRTT].Value; got != 45000 {
		t.Errorf("round trip: got %v, want 45000", got)
	}
	want := model.LoggedError{ID: "8650BE3F", Resource: "ent3", Description: "ETHERCHANNEL FAILOVER", Count: 2}
	if len(h.ErrorLog) != 1 || h.ErrorLog[0] != want {
		t.Errorf("error log: got %+v, want %+v", h.ErrorLog, want)
	}
}

// Debian names the package of the kernel, whose number is that of kernel.org.
func TestKernelPackage(t *testing.T) {
	h := host(model.Linux, text("uname-a", "", "Linux d 6.1.0-21-powerpc64le #1 SMP Debian 6.1.90-1 (2024-05-03) ppc64le GNU/Linux\n"))
	if h.Level != "6.1.0-21-powerpc64le" || h.Build != "Debian 6.1.90-1" {
		t.Errorf("got %q, %q", h.Level, h.Build)
	}
}
