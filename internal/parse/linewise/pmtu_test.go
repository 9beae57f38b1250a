package linewise

import "testing"

const pathMTUSample = "\ndst              gw              If      pmtu    refcnt    redisc_t    exp\n" +
	"-------------------------------------------------------------------------\n" +
	"198.51.100.7     192.0.2.1       en0     576     3         4           0\n" +
	"192.0.2.12       192.0.2.11      en0     1500    1         0           9\n"

func TestParsePathMTUs(t *testing.T) {
	got, err := ParsePathMTUs([]byte(pathMTUSample))
	if err != nil || len(got.Entries) != 2 || len(got.Unknown) > 0 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if e := got.Entries[0]; e.To != "198.51.100.7" || e.Gateway != "192.0.2.1" || e.Interface != "en0" || e.MTU != 576 || *e.Refs != 3 || e.Line != 4 {
		t.Errorf("got %+v", *e)
	}
	if _, err := ParsePathMTUs([]byte("198.51.100.7 192.0.2.1 en0 576 3 4 0\n")); err == nil {
		t.Error("a row without a heading is recognised")
	}
}
