package model_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
)

// made is a host whose texts are all its own.
func made(name, mtu string, line int) *model.Host {
	own := func(s string) string { return string([]byte(s)) }
	text := func(s string) *string { s = own(s); return &s }
	yes := true
	return &model.Host{
		Name: own(name), Platform: model.AIX, Level: own("7200-05"),
		Elements: map[string]*model.Element{own("en0"): {
			Name: own("en0"), Kind: model.Interface, On: own("ent0"), Flags: []string{own("UP")}, SEAFacts: model.SEAFacts{BridgeMode: own("All")},
			Attrs: map[string]*model.Attr{
				own("mtu"): {Name: own("mtu"), Running: text(mtu), NextBoot: text(mtu), From: []model.Origin{{Command: own("lsattr -El en0"), Line: line, Text: own("mtu " + mtu)}}},
				own("arp"): {Name: own("arp"), NextBoot: text("on"), Allowed: []string{own("on"), own("off")}, Settable: &yes},
			},
			Counters: model.CountersOf(map[string]uint64{own("Ipkts"): 7}),
		}},
		Tunables:  map[string]*model.Attr{own("sack"): {Name: own("sack"), Running: text("0")}},
		Protocols: model.CountersOf(map[string]uint64{own("tcp.packets_sent"): 3}),
		Figures:   map[string]model.Figure{model.VirtualSCSI: {Value: 2, From: model.Origin{Command: own("lsdev"), Line: 1, Text: own("vhost0")}}},
		Fixes:     map[string]bool{own("IJ12345"): true},
		Gaps:      []model.Gap{{What: own("errpt"), Why: own("no output")}},
	}
}

// Shared hosts say what they said before; what is alike is there once, what
// differs in anything, be it a line's number, is not mixed up.
func TestInterner(t *testing.T) {
	hosts := []*model.Host{made("a", "1500", 3), made("b", "1500", 3), made("c", "9000", 3), made("d", "1500", 4)}
	var s model.Interner
	for i, h := range hosts {
		before, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		s.Host(h)
		after, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(before), string(after)); d != "" {
			t.Errorf("host %d changed (-before +after):\n%s", i, d)
		}
	}
	attr := func(i int, name string) *model.Attr { return hosts[i].Elements["en0"].Attrs[name] }
	if attr(0, "mtu") != attr(1, "mtu") || attr(0, "arp") != attr(2, "arp") {
		t.Error("attributes that are alike are there twice")
	}
	if attr(0, "mtu") == attr(2, "mtu") || attr(0, "mtu") == attr(3, "mtu") {
		t.Error("attributes that differ became one")
	}
	if hosts[0].Tunables["sack"] != hosts[3].Tunables["sack"] {
		t.Error("tunables that are alike are there twice")
	}
}
