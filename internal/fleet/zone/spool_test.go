package zone_test

import (
	"encoding/json"
	"testing"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/zone"
)

func FuzzParseSpooled(f *testing.F) {
	pack := []byte("a pack")
	named, _ := message.Split(pack, 1)
	head, err := json.Marshal(message.Result{Job: "j", Host: "h", Pack: &named})
	if err != nil {
		f.Fatal(err)
	}
	whole := append(append(head, '\n'), pack...)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Fuzz(func(t *testing.T, text []byte) {
		r, pack, err := zone.ParseSpooled(text)
		if err == nil && len(pack) > 0 && (r.Pack == nil || message.Digest(pack) != r.Pack.Digest) {
			t.Error("a damaged pack was taken")
		}
	})
}
