package importer

import (
	"strings"
	"testing"
)

// Outputs that a program printed below the names of their files are of the hosts in these names.
func TestNamesOfFiles(t *testing.T) {
	const uname, route = "Linux dbsrv 6.1.0 #1 SMP ppc64le GNU/Linux\n", "default via 192.0.2.1 dev eth0 proto static\n"
	for text, want := range map[string]string{
		"==> web7_ip_route.txt <==\n" + route + "\n==> fra-erp-01_ip_route.txt <==\n" + route:   "web7 fra-erp-01",
		"==> ip_route_web7.txt <==\n" + route + "\n==> ip_route_db4.txt <==\n" + route:          "web7 db4",
		"==> before_ip_route.txt <==\n" + route + "\n==> after_ip_route.txt <==\n" + route:      "", // one host, which the text does not name
		"web7/ip_route.out\n" + route + "db/uname_-a.out\n" + uname:                             "web7 dbsrv",
		"./web7/ip_route.out\n" + route + "./db4/ip_route.out\n" + route:                        "web7 db4",
		"$ for f in */*; do echo $f; cat $f; done\nweb7/a.out\n" + route + "db/b.out\n" + route: "web7 db",
	} {
		parts, _, _ := readJoined(t, text)
		var got []string
		for _, p := range parts {
			if p.found != nil && p.found.ID != otherID {
				got = append(got, p.Host)
			}
		}
		if want == "" && len(got) == 2 && got[0] == got[1] {
			continue
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: of %q, want %q", text, got, want)
		}
	}
}

// Of a session in which hostname was asked first on each host, what follows is of the host that answered.
func TestHostnameAskedFirst(t *testing.T) {
	const route = "default via 192.0.2.1 dev eth0 proto static\n"
	for text, want := range map[string]string{
		"# hostname\nweb7\n# ip route\n" + route + "# hostname\ndb\n# ip route\n" + strings.ReplaceAll(route, "2.1", "2.9"): "web7 db",
		"# ip route\n" + route + "# hostname\nweb7\n# hostname\ndb\n":                                                       "",
	} {
		parts, _, _ := readJoined(t, text)
		var got []string
		for _, p := range parts {
			if p.found != nil && p.found.ID != otherID && p.unclear == "" {
				got = append(got, p.Host)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: of %q, want %q", text, got, want)
		}
	}
}

// A message names a few hosts and counts the others.
func TestNamesInMessages(t *testing.T) {
	for want, names := range map[string][]string{"a1 and b2": {"a1", "b2"}, "a1, b2, c3 and 3 other hosts": {"a1", "b2", "c3", "d4", "e5", "f6"}} {
		if got := inShort(names); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
