package model_test

import (
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
)

func TestBrief(t *testing.T) {
	long := "grep -s . /sys/class/net/eth0/address " + strings.Repeat("/sys/class/net/eth0/mtu ", 9)
	for line, want := range map[string]string{
		"":                        "",
		"lsattr -El en0":          "lsattr -El en0",
		long:                      "grep -s . /sys/class/net/eth0/address …",
		strings.Repeat("x", 500):  strings.Repeat("x", 500),
		"ip -j -d link | a b c d": "ip -j -d link | a b c d",
	} {
		if got := model.Brief(line); got != want {
			t.Errorf("Brief(%.60q): got %q, want %q", line, got, want)
		}
	}
}
