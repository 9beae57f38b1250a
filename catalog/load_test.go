package catalog

import "testing"

func TestLoad(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for layer, least := range map[string]int{"interface": 21, "virtual-adapter": 25, "vnic": 10, "physical-adapter": 20, "sea": 25, "etherchannel": 13, "no": 45, "vios": 3, "hypervisor": 4, "linux": 18} {
		if got := len(c.Attributes(layer)); got < least {
			t.Errorf("layer %s: got %d attributes, want at least %d", layer, got, least)
		}
	}
}
