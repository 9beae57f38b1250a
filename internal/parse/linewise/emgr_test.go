package linewise

import "testing"

const interimFixSample = `ID  STATE LABEL      INSTALL TIME      UPDATED BY ABSTRACT
=== ===== ========== ================= ========== ======================================
1    S    IJ00001s3a 04/12/19 10:10:10            Network driver fix
2   *Q    IJ00002sAa 05/12/19 11:00:00            Waits for a reboot
`

func TestParseInterimFixes(t *testing.T) {
	l, err := ParseInterimFixes([]byte(interimFixSample))
	if err != nil || len(l.Fixes) != 2 || len(l.Unknown) > 0 {
		t.Fatalf("got %+v, %v; want two interim fixes", l, err)
	}
	for i, want := range []InterimFix{{"1", "S", "IJ00001s3a", "Network driver fix"}, {"2", "Q", "IJ00002sAa", "Waits for a reboot"}} {
		if *l.Fixes[i] != want {
			t.Errorf("got %+v, want %+v", *l.Fixes[i], want)
		}
	}
	none, err := ParseInterimFixes([]byte("There is no efix data on this system.\n"))
	if err != nil || !none.None || len(none.Fixes) > 0 {
		t.Errorf("got %+v, %v; want none", none, err)
	}
}
