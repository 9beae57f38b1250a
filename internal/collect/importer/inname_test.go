package importer

import "testing"

func TestHostInFileName(t *testing.T) {
	known := map[string]string{"lpar1": "lpar1.example.com", "lpar1-db": "lpar1-db", "lpar2": "lpar2", "vios1": "vios1"}
	for path, want := range map[string]string{
		"in/netstat.lpar2.txt":       "lpar2",
		"in/LPAR1/netstat.txt":       "lpar1.example.com",
		"in/lpar1-db/entstat_ent0":   "lpar1-db",
		"in/lpar1_lpar2/netstat.txt": "",
		"in/vios1/lpar1-db.entstat":  "lpar1-db",
		"in/lpar10/netstat.txt":      "",
		"in/entstat.txt":             "",
	} {
		s := &hostNames{}
		if got, _ := s.inName(&part{file: &file{path: path, root: "in"}}, known); got != want {
			t.Errorf("%s: got host %q, want %q", path, got, want)
		}
	}
}
