package missettings

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each mis-setting gives exactly the findings that describe it, whoever logs
// in to the VIOSes.
func TestOneMisSetting(t *testing.T) {
	for _, c := range singles {
		t.Run(c.lab+"/"+c.host+"/"+c.do, func(t *testing.T) {
			t.Parallel()
			s := start(t, c.lab, "padmin")
			if err := s.do(c.host, c.do); err != nil {
				t.Fatal(err)
			}
			s.look(s.login(c.host))
			all := s.audit()
			if diff := cmp.Diff(c.want, named(all)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
