package printing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var attributes = []lsattr.Attribute{
	lsattr.Row("mtu", "1500", "Maximum IP Packet Size for This Device", lsattr.True),
	lsattr.Row("mtu_bypass", "on", "Enable/Disable largesend for virtual Ethernet", lsattr.True),
	lsattr.Row("rfc1323", "", "Enable/Disable TCP RFC 1323 Window Scaling", lsattr.True),
	lsattr.Row("busid", "7", "Bus number", lsattr.False),
}

var lsattrCodec = codectest.Codec[lsattr.Listing]{
	Parse: lsattr.Parse, Format: printing.FormatLsattr,
	Report: func(x *lsattr.Listing) *parse.Report { return &x.Report },
}

func TestFormatLsattr(t *testing.T) {
	for _, c := range []struct {
		name string
		list *lsattr.Listing
		want string
	}{
		{"El", &lsattr.Listing{Form: lsattr.El(), Attributes: attributes}, `mtu        1500 Maximum IP Packet Size for This Device        True
mtu_bypass on   Enable/Disable largesend for virtual Ethernet True
rfc1323         Enable/Disable TCP RFC 1323 Window Scaling    True
busid      7    Bus number                                    False
`},
		{"one", &lsattr.Listing{Form: lsattr.El(), Attributes: attributes[2:3]}, "rfc1323  Enable/Disable TCP RFC 1323 Window Scaling True\n"},
		{"EHl", &lsattr.Listing{Form: lsattr.EHl(), Attributes: attributes[3:]}, `attribute value description user_settable

busid     7     Bus number  False
`},
		{"F", &lsattr.Listing{Form: lsattr.F("attribute:value"), Attributes: attributes}, "mtu:1500\nmtu_bypass:on\nrfc1323:\nbusid:7\n"},
		{"F aligned", &lsattr.Listing{Form: lsattr.F("attribute value user_settable"), Attributes: []lsattr.Attribute{attributes[0], attributes[3]}}, "mtu   1500 True\nbusid 7    False\n"},
		{"O", &lsattr.Listing{Form: lsattr.Form{Kind: lsattr.Names}, Attributes: attributes}, "#mtu:mtu_bypass:rfc1323:busid\n1500:on::7\n"},
		{"DevAttr", &lsattr.Listing{Form: lsattr.DevAttr(), Attributes: attributes[1:2]}, "value\n\non\n"},
		{"R", &lsattr.Listing{Form: lsattr.Form{Kind: lsattr.Allowed}, Allowed: []lsattr.Choice{{Range: &lsattr.Range{Low: 60, High: 65535, Step: 1}}, {Value: "on"}}}, "60...65535 (+1)\non\n"},
	} {
		if d := cmp.Diff(c.want, string(printing.FormatLsattr(c.list))); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	// What the lab prints most is read back whole.
	for _, form := range []lsattr.Form{lsattr.El(), lsattr.EHl()} {
		lsattrCodec.Printed(t, &lsattr.Listing{Form: form, Attributes: attributes})
	}
}
