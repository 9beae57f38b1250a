package control_test

import (
	"encoding/json"
	"testing"
	"time"

	"seaworthy/internal/fleet/control"
)

func TestSeconds(t *testing.T) {
	for _, d := range []time.Duration{0, time.Millisecond, 90 * time.Second, 24 * time.Hour, -time.Second, 1500 * time.Millisecond} {
		text, err := json.Marshal(control.Seconds(d))
		if err != nil {
			t.Fatal(err)
		}
		var back control.Seconds
		err = json.Unmarshal(text, &back)
		if err != nil || time.Duration(back) != d {
			t.Errorf("%s is written as %s and read as %s, %v", d, text, time.Duration(back), err)
		}
	}
	for _, bad := range []string{`"1m"`, `1e300`, `-1e19`, `{}`} {
		var s control.Seconds
		err := json.Unmarshal([]byte(bad), &s)
		if err == nil {
			t.Errorf("%s is read as %s", bad, time.Duration(s))
		}
	}
}
