package await

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, asked := time.Now(), 0
		if !Within(time.Minute, func() bool { asked++; return time.Since(begun) > 3*time.Second }) {
			t.Error("what comes after 3 s is not seen within a minute")
		}
		if took := time.Since(begun); took > 3100*time.Millisecond || asked > 80 {
			t.Errorf("took %s and asked %d times, want a pause of 50 ms at most, after short ones", took, asked)
		}
		begun = time.Now()
		if Within(time.Second, func() bool { return false }) || time.Since(begun) > 1100*time.Millisecond {
			t.Errorf("what never comes: waited %s, want a second", time.Since(begun))
		}
		Stays(t, "true", time.Second, func() bool { return true })
	})
}
