package commands

import (
	"os/exec"
	"testing"
	"time"
)

// The machine's own date is the judge, for times around the ends of years.
func TestStrftime(t *testing.T) {
	const format = "%a %A %b %B %c|%C %d %D %e %F %G %h %H %I %j %m %M %p %r %R %s %S %T %u %U %V %w %W %y %Y %z %Z %%"
	if _, err := exec.LookPath("date"); err != nil {
		t.Skip("this machine has no date command")
	}
	for _, at := range []time.Time{
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 3, 12, 5, 9, 0, time.UTC),
		time.Date(2024, 12, 30, 23, 59, 59, 0, time.UTC),
		time.Date(2023, 1, 1, 1, 2, 3, 0, time.UTC), time.Date(2028, 2, 29, 13, 0, 0, 0, time.UTC),
	} {
		cmd := exec.Command("date", "-u", "-d", at.Format("2006-01-02 15:04:05"), "+"+format)
		cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin"}
		want, err := cmd.Output()
		if err != nil {
			t.Skipf("this machine's date knows no -d: %v", err)
		}
		if got := strftime(at, format) + "\n"; got != string(want) {
			t.Errorf("%v:\ngot  %swant %s", at, got, want)
		}
	}
	if got := strftime(time.Unix(1, 5), "%Q%n%t%N%"); got != "%Q\n\t000000005%" {
		t.Errorf("got %q", got)
	}
}
