package topology

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStaticRoutes(t *testing.T) {
	_, text, err := Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	const at = "          en0: {address: 10.10.10.11/24}\n"
	with := func(more string) (*Topology, error) {
		return Parse("f", []byte(strings.Replace(string(text), at, at+more, 1)))
	}
	top, err := with("        routes: {10.30.0.0/16: 10.10.10.254, 10.20.0.0/24: 10.10.10.12}\n")
	if err != nil {
		t.Fatal(err)
	}
	_, n, _ := top.Node("lpar1")
	want := []StaticRoute{
		{netip.MustParsePrefix("10.20.0.0/24"), netip.MustParseAddr("10.10.10.12"), "en0"},
		{netip.MustParsePrefix("10.30.0.0/16"), netip.MustParseAddr("10.10.10.254"), "en0"},
	}
	equal := cmp.Comparer(func(a, b StaticRoute) bool { return a == b })
	if diff := cmp.Diff(want, n.StaticRoutes(), equal); diff != "" {
		t.Errorf("routes of lpar1 (-want +got):\n%s", diff)
	}
	_, err = with("        sysctls: {net.ipv4.tcp_sack: 1}\n")
	if err == nil || !strings.Contains(err.Error(), "sysctls belong to a node with os: linux") {
		t.Errorf("sysctls of a node with AIX: got %v", err)
	}
}
