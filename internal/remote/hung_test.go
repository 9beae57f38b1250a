package remote_test

import (
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/remote"
)

// A command that hung on a device is known by its program and device, whatever its
// options are, and on that host alone.
func TestHung(t *testing.T) {
	h := &remote.Hung{}
	h.Note("lpar1", "entstat -d ent0")
	h.Note("lpar1", "netstat -s") // of no device: the host may have been busy
	for line, held := range map[string]bool{
		"entstat -d ent0": true, "entstat ent0": true, "/usr/bin/entstat -d ent0 | awk '{ print }'": true, "ioscli entstat -all ent0": true,
		"entstat -d ent1": false, "lsattr -El ent0": false, "netstat -s": false, "": false, "entstat": false, "ioscli": false,
	} {
		err := h.Err("lpar1", line)
		if (err != nil) != held || held && (!errors.Is(err, remote.ErrTimeout) || !strings.Contains(err.Error(), "entstat ent0")) {
			t.Errorf("%q: got %v, want held back: %v", line, err, held)
		}
		if err := h.Err("lpar2", line); err != nil {
			t.Errorf("%q on another host: %v", line, err)
		}
	}
	var none *remote.Hung
	none.Note("lpar1", "entstat -d ent0")
	if err := none.Err("lpar1", "entstat -d ent0"); err != nil {
		t.Errorf("nothing remembered: %v", err)
	}
}
