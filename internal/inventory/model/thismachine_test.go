package model_test

import (
	"testing"

	"seaworthy/internal/inventory/model"
)

func TestMeansThisMachine(t *testing.T) {
	for _, name := range []string{"localhost", "LocalHost.", "localhost.localdomain", "localhost4", "ip6-localhost", "db.localhost", "local",
		"127.0.0.1", "127.9.9.9", "127.1", "0x7f000001", "0X7F.1", "2130706433", "017700000001", "0", "0.0.0.0", "::1", "[::1]", "::",
		"::ffff:127.0.0.1", "::1%lo", "root@localhost", "root@127.0.0.1:2222", "[::1]:22", "localhost:22"} {
		if !model.MeansThisMachine(name) {
			t.Errorf("%s: got false, want it known as this machine", name)
		}
	}
	for _, name := range []string{"lpar1", "localhost1", "localdb", "local.example.com", "localhost.example.com", "10.127.0.1", "128.0.0.1",
		"fe80::1", "root@lpar1:22", "1", "db127", "", "loopbackdb", "1.2.3.4.5"} {
		if model.MeansThisMachine(name) {
			t.Errorf("%s: got true, want a host", name)
		}
	}
}
