package execute

import "testing"

// What a host noted does not say the reason again.
func TestOutcome(t *testing.T) {
	begun := "Mon Nov 23 19:02:47 UTC 2026 restoring the earlier values: not confirmed in time"
	for _, c := range []struct {
		log  []string
		want string
	}{
		{[]string{begun}, "Mon Nov 23 19:02:47 UTC 2026 restoring the earlier values"},
		{[]string{begun, "Mon Nov 23 19:02:48 UTC 2026 restored"}, "the earlier values are back since Mon Nov 23 19:02:48 UTC 2026"},
		{[]string{begun, "chdev: 0514-062 busy"}, "Mon Nov 23 19:02:47 UTC 2026 restoring the earlier values; chdev: 0514-062 busy"},
	} {
		if got := outcome(c.log); got != c.want {
			t.Errorf("%q: got %q, want %q", c.log, got, c.want)
		}
	}
}
