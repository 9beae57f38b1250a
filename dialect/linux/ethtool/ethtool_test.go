package ethtool_test

import (
	"errors"
	"flag"
	"testing"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
	"seaworthy/dialect/linux/ethtool"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[ethtool.Output]{
	Parse: ethtool.Parse, Format: ethtool.Format,
	Report: func(o *ethtool.Output) *dialect.Report { return &o.Report },
}

const features = "Features for eth0:\nrx-checksumming: on [fixed]\ntx-checksumming: on\n\ttx-checksum-ipv4: off [fixed]\n" +
	"tcp-segmentation-offload: off\n\ttx-tcp-segmentation: off [requested on]\nlarge-receive-offload: off [fixed]\n"

const driver = "driver: ibmveth\nversion: 1.06\nfirmware-version: \nbus-info: 0000:01:00.0\nsupports-statistics: yes\n"

const statistics = "NIC statistics:\n     replenish_task_cycles: 46\n     rx_queue_0:drops: 184467440737095516\n     large_packets[0]: 0\n"

const rings = "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t4096\nRX Mini:\tn/a\nTX:\t\t2048\nCurrent hardware settings:\nRX:\t\t512\nRX Mini:\tn/a\nTX:\t\t256\nTX push buff len:\tn/a\n\n"

const coalesce = "Coalesce parameters for eth0:\nAdaptive RX: off  TX: on\nCQE mode RX: n/a  TX: n/a\nstats-block-usecs:\t0\nrx-usecs:\t3\ntx-frames-irq:\tn/a\n"

const pause = "Pause parameters for eth0:\nAutonegotiate:\ton\nRX:\t\toff\nTX:\t\ton\n\n"

const settings = "Settings for eth0:\n\tSupported ports: [ FIBRE ]\n\tSupported link modes:   1000baseT/Full\n\t                        10000baseT/Full \n" +
	"\tSupports auto-negotiation: Yes\n\tSpeed: 10000Mb/s\n\tDuplex: Full\nCannot get wake-on-lan settings: Operation not permitted\n\tLink detected: yes\n"

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text, item, section string
		kind                      ethtool.Kind
		want                      string
		unknown                   int
	}{
		{"feature", features, "tx-tcp-segmentation", "", ethtool.Features, "off [requested on]", 0},
		{"driver", driver, "bus-info", "", ethtool.Driver, "0000:01:00.0", 0},
		{"driver, empty", driver, "firmware-version", "", ethtool.Driver, "", 0},
		{"statistics", statistics, "rx_queue_0:drops", "", ethtool.Statistics, "184467440737095516", 0},
		{"ring maximum", rings, "RX", ethtool.Maximums, ethtool.Rings, "4096", 0},
		{"ring current", rings, "rx", ethtool.Current, ethtool.Rings, "512", 0},
		{"ring without", rings, "RX Mini", ethtool.Current, ethtool.Rings, "n/a", 0},
		{"coalesce pair", coalesce, "Adaptive TX", "", ethtool.Coalesce, "on", 0},
		{"coalesce", coalesce, "rx-usecs", "", ethtool.Coalesce, "3", 0},
		{"pause", pause, "RX", "", ethtool.Pause, "off", 0},
		{"settings", settings, "Speed", "", ethtool.Settings, "10000Mb/s", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := codec.RoundTrip(t, []byte(c.text))
			if len(o.Unknown) != c.unknown {
				t.Errorf("unknown: got %v, want %d lines", o.Unknown, c.unknown)
			}
			b := o.Block(c.kind)
			if b == nil {
				t.Fatalf("no block %s in %+v", c.kind, o.Blocks)
			}
			if i := b.Section(c.section).Find(c.item); i == nil || i.Value() != c.want {
				t.Errorf("%s: got %+v, want %q", c.item, i, c.want)
			}
		})
	}
	o := codec.RoundTrip(t, []byte(features))
	b := o.Block(ethtool.Features)
	if i := b.Find("tcp-segmentation-offload"); b.Device != "eth0" || i.On == nil || *i.On || i.Fixed() {
		t.Errorf("tcp-segmentation-offload: got %+v", i)
	}
	if i := b.Find("large-receive-offload"); !i.Fixed() {
		t.Errorf("large-receive-offload: got %+v, want fixed", i)
	}
	for _, text := range []string{"", "no stats available\n", "netlink error: Operation not supported\n", "Cannot get driver information: Operation not supported\n"} {
		if _, err := ethtool.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestFormatFresh(t *testing.T) {
	on, n := true, uint64(4096)
	o := &ethtool.Output{Blocks: []*ethtool.Block{
		{Kind: ethtool.Features, Device: "eth0", Sections: []*ethtool.Section{{Items: []*ethtool.Item{
			{Name: "tx-checksumming", On: &on}, {Name: "tx-checksum-ipv4", On: &on, Note: "fixed"}}}}},
		{Kind: ethtool.Rings, Device: "eth0", Sections: []*ethtool.Section{{Name: ethtool.Maximums, Items: []*ethtool.Item{
			{Name: "RX", Count: &n}, {Name: "RX Jumbo", Text: "n/a"}}}}},
		{Kind: ethtool.Statistics, Sections: []*ethtool.Section{{Items: []*ethtool.Item{{Name: "rx_drops", Count: &n}}}}},
	}}
	got := ethtool.Format(o)
	codectest.Golden(t, *update, "fresh.golden", got)
	if again := codec.RoundTrip(t, got); len(again.Unknown) > 0 {
		t.Errorf("own output not understood: %v", again.Unknown)
	}
}

var all = []string{features, driver, statistics, rings, coalesce, pause, settings}

func TestDamaged(t *testing.T) {
	for _, text := range all {
		codec.Damaged(t, []byte(text))
	}
}

// Kinds and section names decide what a block is; "Adaptive" is spelt once for
// two values and a feature is on or off.
func TestEveryValue(t *testing.T) {
	for _, text := range all {
		codec.EveryValue(t, []byte(text), ".Kind", "].Name")
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, all...) }
