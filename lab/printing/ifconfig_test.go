package printing_test

import (
	"flag"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var update = flag.Bool("update", false, "write golden files")

var ifconfigCodec = codectest.Codec[ifconfig.Config]{
	Parse: ifconfig.Parse, Format: printing.FormatIfconfig,
	Report: func(x *ifconfig.Config) *parse.Report { return &x.Report },
}

func TestFormatIfconfig(t *testing.T) {
	en0 := printing.EthernetInterface("en0", printing.InterfaceState{Up: true, ChecksumActive: true, LargeSend: true})
	en0.Addresses = []*ifconfig.Address{{Family: "inet", Address: "10.1.0.11", Netmask: "0xffffff00", Broadcast: "10.1.0.255"}}
	en0.Options = []ifconfig.Option{{Name: "tcp_sendspace", Value: 262144}, {Name: "tcp_recvspace", Value: 262144}, {Name: "rfc1323", Value: 1}}
	lo0 := printing.LoopbackInterface()
	lo0.Addresses = []*ifconfig.Address{{Family: "inet6", Address: "::1%1/0"}}
	got := ifconfigCodec.Printed(t, &ifconfig.Config{Interfaces: []*ifconfig.Interface{en0, printing.EthernetInterface("en1", printing.InterfaceState{Thread: true}), lo0}})
	codectest.Golden(t, *update, "ifconfig.golden", []byte(got))
	if got := ifconfigCodec.Printed(t, &ifconfig.Config{Names: []string{"en0", "lo0"}}); got != "en0 lo0\n" {
		t.Errorf("names: got %q", got)
	}
}
