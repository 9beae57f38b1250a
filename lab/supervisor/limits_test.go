package supervisor

import "testing"

// A kernel taken for a newer one would have the machine's own number set.
func TestSince(t *testing.T) {
	for release, want := range map[string]bool{
		"6.14.0": true, "6.18.44-fc-v657": true, "7.0.0-rc1": true, "6.14-rc2": true,
		"6.13.9": false, "5.14.0-427.el9.x86_64": false, "4.18.0": false, "": false, "x": false, "6": false,
	} {
		if got := since(release, 6, 14); got != want {
			t.Errorf("%q is at least 6.14: got %v, want %v", release, got, want)
		}
	}
}
