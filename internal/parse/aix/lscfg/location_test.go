package lscfg

import "testing"

func TestLocationForm(t *testing.T) {
	for word, want := range map[string]bool{
		"U78D3.001.WZS0002-P1-C3-T1": true, "U9009.22A.7800000-V2-C3-T1": true, "Utopia": false, "U": false, "U.": false, "U-": false,
		"00-00": true, "05-08-00-3,0": true, "00-08-": false, "00-0": false, "00-000": false, "a0-00": false, "1A-0B-x": true,
		"P1-C3-T1": true, "U1/P2": true, "P1.2-": false, "P1_a/x": true, "PX-1": false, "P1": false,
		"10:1f": true, "host.a-b:1:2": true, "name:": false, "name:x": false, "name:.": true, ":1": false, "-a:1": false,
		"": false, "00-00\r": false, "é:1": false,
	} {
		if got := locationForm.MatchString(word); got != want {
			t.Errorf("location %q: got %v, want %v", word, got, want)
		}
	}
}
