package linewise

import (
	"slices"
	"testing"
)

const resolverSample = "# by hand\nsearch example.com\nnameserver 192.0.2.53\nnameserver 192.0.2.54\noptions timeout:2 attempts:1\n"

func TestParseResolver(t *testing.T) {
	c, err := ParseResolver([]byte(resolverSample))
	if err != nil || len(c.Unknown) > 0 || !slices.Equal(c.Servers, []string{"192.0.2.53", "192.0.2.54"}) {
		t.Fatalf("got %+v, %v", c, err)
	}
	if n, ok := c.Option("timeout"); n != 2 || !ok {
		t.Errorf("timeout: got %d %v, want 2", n, ok)
	}
	if _, ok := c.Option("rotate"); ok {
		t.Error("rotate is not set")
	}
}

func TestParseLookupOrder(t *testing.T) {
	for text, want := range map[string][]string{
		"# where names are\nhosts = local4, bind4\n":    {"local4", "bind4"},
		"passwd: files\nhosts:  files dns myhostname\n": {"files", "dns", "myhostname"},
	} {
		o, err := ParseLookupOrder([]byte(text))
		if err != nil || !slices.Equal(o.Hosts, want) || len(o.Unknown) > 0 {
			t.Errorf("%q: got %+v, %v; want %v", text, o, err, want)
		}
	}
}
