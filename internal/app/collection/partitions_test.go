package collection

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
)

// Anyone who may name a partition does not decide where and as whom it is logged in to,
// and one odd name does not keep the others from being read.
func TestListedPartitions(t *testing.T) {
	var notices []string
	access := fleet.Access{OnNotice: func(line string) { notices = append(notices, line) }}
	odd := []string{"local", "root@db1", "db1:2222", "ssh://db1", "-F", "my db", "", "db1\n", "\u202edb", "..", "[::1]", "localhost", "127.0.0.1",
		"127.1", "0x7f000001", "2130706433", "LOCALHOST.localdomain", "db.localhost",
		"localhost.", "ip6-localhost", "ip6-loopback", "localhost6", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "0.0.0.0", "0", "0177.0.0.1",
		"127.0.0.1.", "127.000.000.001", "017700000001", "127.1.", "::"}
	var list []collect.Partition
	for _, name := range append(slices.Clone(odd), "lpar1", "DB_prod-2.example.com", "10.1.1.1") {
		list = append(list, collect.Partition{Name: name})
	}
	got, err := reachable(t.Context(), access, list)
	if want := []string{"lpar1", "DB_prod-2.example.com", "10.1.1.1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if len(notices) != len(odd) {
		t.Errorf("%d partitions reported, want %d: %q", len(notices), len(odd), notices)
	}
	for _, line := range notices {
		if !strings.Contains(line, "not read") {
			t.Errorf("got notice %q, want that the partition is not read", line)
		}
	}
}
