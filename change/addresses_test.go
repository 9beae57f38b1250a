package change_test

import (
	"strings"
	"testing"

	"seaworthy/change/plan"
)

// What is taken down and up has only the addresses of the ODM afterwards.
func TestAddressesThatAreNotInTheODM(t *testing.T) {
	for _, c := range []struct {
		name, attrs, want string
		accept            []string
	}{
		{name: "all are in it", attrs: "netaddr=10.0.0.1 alias4=10.0.0.7,255.255.255.0"},
		{name: "an alias is not", attrs: "netaddr=10.0.0.1 alias4=", want: "loses 10.0.0.7, which the ODM does not have"},
		{name: "another alias is", attrs: "netaddr=10.0.0.1 alias4=10.0.0.71,255.255.255.0", want: "loses 10.0.0.7,"},
		{name: "the user accepts that", attrs: "netaddr=10.0.0.1 alias4=", accept: []string{plan.AcceptAddresses}},
		{name: "none is", attrs: "netaddr=", want: "loses 10.0.0.1, 10.0.0.7,"},
		{name: "not read", attrs: "alias4="},
	} {
		f := behind(t, "5.14.0")
		en0 := f.Host("lpar1").Elements["en0"]
		en0.Addrs = prefixes(t, "10.0.0.1/24", "10.0.0.7/24", "fe80::1/64")
		for name, a := range attrs(strings.Fields(c.attrs)...) {
			en0.Attrs[name] = a
		}
		p := simulate(t, f, c.accept, "lpar1:en0:mtu=1400")
		got := ""
		if len(p.Refused) > 0 {
			got = p.Refused[0].Reason
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
