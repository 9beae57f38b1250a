package knowledge

import (
	"testing"
)

func TestCompareLevels(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"7200-05-03-2148", "7200-05", 1},
		{"7100-05-06-2015", "7200", -1},
		{"3.1.1.20", "3.1.1.22", -1},
		{"3.1.10.0", "3.1.9.9", 1},
		{"2.2.6.61", "2.2.6.61", 0},
		{"3.10.0-327.49.2.el7.ppc64le", "3.10.0-327.49.2", 0},
		{"3.10.0-327.el7", "3.10.0-327.49.2", -1},
		{"5.14.0-427.13.1.el9_4.ppc64le", "4.2", 1},
		{"6.18.5", "5.12", 1},
	}
	for _, tt := range tests {
		got, err := CompareLevels(tt.a, tt.b)
		if err != nil || got != tt.want {
			t.Errorf("CompareLevels(%q, %q): got %d %v, want %d", tt.a, tt.b, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "el7", "-", "unknown"} {
		if _, err := ParseLevel(bad); err == nil {
			t.Errorf("ParseLevel(%q): got no error, want one", bad)
		}
	}
}

func TestDefaultByLevel(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		layer, name, level string
		want               string
		ok                 bool
	}{
		{"virtual-adapter", "buf_mode", "7100-05-06-2015", "min", true},
		{"virtual-adapter", "buf_mode", "7200-05-03-2148", "max_min", true},
		{"virtual-adapter", "buf_mode", "", "", false},
		{"sea", "largesend", "2.1.3.10", "0", true},
		{"sea", "largesend", "3.1.3.14", "1", true},
		{"sea", "adapter_reset", "2.2.3.4", "yes", true},
		{"sea", "adapter_reset", "3.1.3.14", "no", true},
		{"interface", "tcp_sendspace", "7200-05", "", true},
		{"no", "sb_max", "", "1048576", true},
		{"physical-adapter", "rx_coalesce", "7200-05", "", false},
	}
	for _, tt := range tests {
		a, ok := c.Attribute(tt.layer, tt.name)
		if !ok {
			t.Errorf("%s %s: got none, want the attribute", tt.layer, tt.name)
			continue
		}
		if got, ok := a.Default(tt.level); got != tt.want || ok != tt.ok {
			t.Errorf("%s %s at %q: got %q %v, want %q %v", tt.layer, tt.name, tt.level, got, ok, tt.want, tt.ok)
		}
	}
}

func TestAccepts(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		layer, name, value string
		ok                 bool
	}{
		{"interface", "mtu", "9000", true},
		{"interface", "mtu", "59", false},
		{"interface", "mtu", "nine", false},
		{"interface", "mtu_bypass", "on", true},
		{"interface", "mtu_bypass", "yes", false},
		{"virtual-adapter", "max_buf_small", "4096", true},
		{"virtual-adapter", "max_buf_small", "4097", false},
		{"sea", "largesend", "2", false},
		{"sea", "virt_adapters", "ent4,ent5", true},
		{"physical-adapter", "rxdesc_que_sz", "130", false},
	}
	for _, tt := range tests {
		a, ok := c.Attribute(tt.layer, tt.name)
		if !ok {
			t.Fatalf("%s %s: no such attribute", tt.layer, tt.name)
		}
		if err := a.Accepts(tt.value); (err == nil) != tt.ok {
			t.Errorf("%s %s=%s: got %v, want accepted %v", tt.layer, tt.name, tt.value, err, tt.ok)
		}
	}
	mtu, _ := c.Attribute("interface", "mtu")
	if got, want := mtu.Range(), "60...65535 (+1)"; got != want {
		t.Errorf("range of mtu: got %q, want %q", got, want)
	}
}

func FuzzParseLevel(f *testing.F) {
	for _, s := range []string{"7200-05-03-2148", "7.2", "3.1.2.21", "3.10.0-327.el7", "99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		level, err := ParseLevel(text)
		if err == nil && len(level) == 0 {
			t.Errorf("ParseLevel(%q): got nothing and no error", text)
		}
	})
}
