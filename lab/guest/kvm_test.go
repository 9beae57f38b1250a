package guest_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	tool "seaworthy/internal/cli"
)

// What collect read of a machine in QEMU, of the host without libvirt whose bridge its tap
// device is on, and of its peer: guest1 sends frames of 9000 bytes, the bridge's port carries
// 1500; the tap device's segmentation offload is off; guest1 has one queue for two CPUs.
func TestKVMGuestWithoutLibvirt(t *testing.T) {
	run := func(into any, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if exit := tool.Main(t.Context(), append(args, "testdata/kvm", "-f", "json"), strings.NewReader(""), &out, &errs); exit != 0 {
			t.Fatalf("%v: exit %d: %s", args, exit, errs.String())
		}
		if err := json.Unmarshal(out.Bytes(), into); err != nil {
			t.Fatalf("%v: %v: %.300s", args, err, out.String())
		}
	}
	type ref struct {
		Host    string `json:"host"`
		Element string `json:"element"`
	}
	var audit struct {
		Findings []struct {
			Rule    string `json:"rule"`
			Element ref    `json:"element"`
		} `json:"findings"`
	}
	run(&audit, "audit", "--fail-on", "never")
	var got []string
	for _, f := range audit.Findings {
		got = append(got, f.Rule+" "+f.Element.Host+":"+f.Element.Element)
	}
	slices.Sort(got)
	if want := []string{"R192 guest1:ens4", "R192 guest1:mgmt", "R193 kvm1:tap0", "R201 kvm1:tap0"}; !slices.Equal(got, want) {
		t.Errorf("findings: got %v, want %v", got, want)
	}
	var path struct {
		Hops []struct {
			Ref  *ref   `json:"ref"`
			Kind string `json:"kind"`
			Note string `json:"note"`
		} `json:"hops"`
	}
	run(&path, "show", "path", "guest1", "peer1")
	got = nil
	for _, h := range path.Hops {
		if h.Ref == nil {
			h.Ref = &ref{Element: h.Kind}
		}
		got = append(got, strings.TrimSpace(h.Ref.Host+":"+h.Ref.Element+" "+h.Note))
	}
	want := []string{"guest1:ens4", "kvm1:tap0 virtual machine guest1", "kvm1:br0 port tap0", ":ethernet-switch not visible from any host", "peer1:eth0"}
	if !slices.Equal(got, want) {
		t.Errorf("path: got %q, want %q", got, want)
	}
}
