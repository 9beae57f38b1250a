package printing_test

import (
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

const protocolsSample = "icmp:\n" +
	"\t12 calls to icmp_error\n" +
	"\tOutput histogram:\n" +
	"\t\techo reply: 95\n" +
	"\tInput histogram:\n" +
	"\t\techo reply: 490\n" +
	"\t\t\tbad echo replies: 7\n" +
	"tcp:\n" +
	"\t1 packet sent\n" +
	"\t\t800 data packets (1 byte)\n" +
	"\t\t100 ack-only packets (42 delayed)\n" +
	"\t\t11 window update packets\n" +
	"\t\t6937177 large sends\n" +
	"\t\t33495951175 bytes sent using largesend\n" +
	"\t\t65160 bytes is the biggest largesend\n" +
	"\t-294967296 packets received\n" +
	"\t\t700 acks (for 123456 bytes)\n" +
	"\t\t22 window update packets\n" +
	"\t9 fast retransmits\n" +
	"\t\t3 when congestion window less than 4 segments\n" +
	"\n" +
	"udp:\n" +
	"\t6600 socket buffer overflows\n"

var protocolsCodec = codectest.Codec[protocols.Statistics]{
	Parse: protocols.Parse, Format: printing.FormatProtocols,
	Report: func(x *protocols.Statistics) *parse.Report { return &x.Report },
}

func TestFormatProtocols(t *testing.T) {
	v := protocolsCodec.Read(t, protocolsSample)
	v.Report = parse.Report{}
	if text := protocolsCodec.Printed(t, v); strings.ReplaceAll(text, "\n", "") != strings.ReplaceAll(protocolsSample, "\n", "") {
		t.Errorf("got\n%s\nwant\n%s", text, protocolsSample)
	}
}
