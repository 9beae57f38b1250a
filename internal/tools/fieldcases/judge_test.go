package main

import "testing"

func TestDecide(t *testing.T) {
	cause := answer{By: "diagnose", Title: "offload largesend is off", Text: `{"id":"offload"}`, Advice: "mtu_bypass=on\n"}
	finding := answer{By: "audit", Title: "R026 receive buffers run out", Advice: "max_buf_small=4096\n"}
	missing := answer{By: "missing", Text: "path MTU: ping"}
	tree := answer{By: "import", Text: "host web linux"}
	for _, tt := range []struct {
		name    string
		c       fieldCase
		e       expectation
		answers []answer
		want    verdict
	}{
		{"the first answer", fieldCase{}, expectation{Names: []string{"largesend"}}, []answer{cause, finding}, namedFirst},
		{"a later one", fieldCase{}, expectation{Names: []string{"buffers"}}, []answer{cause, finding}, namedAmong},
		{"forbidden advice", fieldCase{}, expectation{Names: []string{"largesend"}, Never: []string{"max_buf_"}}, []answer{cause, finding}, wrongAnswer},
		{"named as missing", fieldCase{}, expectation{Names: []string{"1240"}, Missing: []string{"path mtu"}}, []answer{finding, missing}, needsData},
		{"nothing said", fieldCase{}, expectation{Names: []string{"1240"}}, []answer{tree}, nothing},
		{"by the words of its cure", fieldCase{Right: "Defect. Fix IV35154 or mtu_bypass=off"}, expectation{}, []answer{finding, cause}, namedAmong},
		{"words of a cure that nobody says", fieldCase{Right: "fix IV11111"}, expectation{}, []answer{finding, cause}, nothing},
		{"a cure without technical words", fieldCase{Right: "restart it"}, expectation{}, []answer{finding}, nothing},
		{"read rightly", fieldCase{}, expectation{Imports: []string{"linux"}}, []answer{tree}, namedFirst},
		{"read wrongly", fieldCase{}, expectation{Imports: []string{"aix"}, Names: []string{"largesend"}}, []answer{cause, tree}, nothing},
		{"the right hosts", fieldCase{}, expectation{Hosts: "db web"}, []answer{{By: "hosts", Text: "db web"}}, namedFirst},
		{"one host too many", fieldCase{}, expectation{Hosts: "web", Names: []string{"largesend"}}, []answer{cause, {By: "hosts", Text: "addr web"}}, nothing},
	} {
		if got, why := decide(tt.c, tt.e, tt.answers); got != tt.want {
			t.Errorf("%s: got %s (%s), want %s", tt.name, got, why, tt.want)
		}
	}
}

func TestExpectationsLoad(t *testing.T) {
	cases, err := loadExpectations()
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range cases {
		if len(e.Names) == 0 && len(e.Imports) == 0 && e.Hosts == "" {
			t.Errorf("%s: nothing is expected", name)
		}
	}
}
