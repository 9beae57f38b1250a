package knowledge

import (
	"testing"
	"time"
)

func TestAPAROpened(t *testing.T) {
	if _, err := openedAPARs(); err != nil {
		t.Fatal(err)
	}
	const none = "0001-01-01"
	for apar, want := range map[string][2]string{
		"IV45455":      {"2013-07-10", "2013-07-10"}, // its page was read
		"IV50132":      {"2013-07-10", "2014-01-21"},
		"IV99999":      {"2016-12-12", "2018-12-31"}, // a bulletin of that day names a later number
		"IZ99999":      {"2011-04-07", "2011-06-01"}, // the next letter follows
		"IY00001":      {none, "2011-04-07"},
		"IJ60000":      {"2023-03-21", none},
		"CVE-2012-194": {none, none},
		"PH12345":      {none, none},
	} {
		after, before := APAROpened(apar)
		if got := [2]string{after.Format(time.DateOnly), before.Format(time.DateOnly)}; got != want {
			t.Errorf("%s: got %v, want %v", apar, got, want)
		}
	}
}

func TestBuiltOn(t *testing.T) {
	for level, want := range map[string]string{
		"7200-05-03-2148": "2021-11-29",
		"7100-03-01-1341": "2013-10-07",
		"6100-06-00-1101": "2011-01-03",
	} {
		got, ok := BuiltOn(level)
		if !ok || got.Format(time.DateOnly) != want {
			t.Errorf("%s: got %s %v, want %s", level, got.Format(time.DateOnly), ok, want)
		}
	}
	for _, level := range []string{"", "7200-05", "7100-03-00-0000", "3.1.0.10", "7200-05-03-2199"} {
		if got, ok := BuiltOn(level); ok {
			t.Errorf("%q: got %s, want none", level, got)
		}
	}
}
