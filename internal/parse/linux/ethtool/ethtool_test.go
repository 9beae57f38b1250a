package ethtool_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/ethtool"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[ethtool.Output]{Parse: ethtool.Parse, Report: func(o *ethtool.Output) *parse.Report { return &o.Report }}

const features = "Features for eth0:\nrx-checksumming: on [fixed]\ntx-checksumming: on\n\ttx-checksum-ipv4: off [fixed]\n" +
	"tcp-segmentation-offload: off\n\ttx-tcp-segmentation: off [requested on]\nlarge-receive-offload: off [fixed]\n"

const driver = "driver: ibmveth\nversion: 1.06\nfirmware-version: \nbus-info: 0000:01:00.0\nsupports-statistics: yes\n"

const statistics = "NIC statistics:\n     replenish_task_cycles: 46\n     rx_queue_0:drops: 184467440737095516\n     large_packets[0]: 0\n"

const rings = "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t4096\nRX Mini:\tn/a\nTX:\t\t2048\n" +
	"Current hardware settings:\nRX:\t\t512\nRX Mini:\tn/a\nTX:\t\t256\nTX push buff len:\tn/a\n\n"

const coalesce = "Coalesce parameters for eth0:\nAdaptive RX: off  TX: on\nCQE mode RX: n/a  TX: n/a\nstats-block-usecs:\t0\nrx-usecs:\t3\ntx-frames-irq:\tn/a\n"

const pause = "Pause parameters for eth0:\nAutonegotiate:\ton\nRX:\t\toff\nTX:\t\ton\n\n"

const spread = "RX flow hash indirection table for eth0 with 4 RX ring(s):\n    0:      0     1     2     3     0     1     2     3\n" +
	"    8:      0     1     2     3     0     1     2     3\nRSS hash key:\nbe:ac:01:fa\nRSS hash function:\n    toeplitz: on\n    xor: off\n"

const settings = "Settings for eth0:\n\tSupported ports: [ FIBRE ]\n\tSupported link modes:   1000baseT/Full\n\t                        10000baseT/Full \n" +
	"\tSupports auto-negotiation: Yes\n\tSpeed: 10000Mb/s\n\tDuplex: Full\nCannot get wake-on-lan settings: Operation not permitted\n\tLink detected: yes\n"

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       ethtool.Kind
		section    string
		item, want string
	}{
		{"feature", features, ethtool.Features, "", "tx-tcp-segmentation", "off [requested on]"},
		{"feature, fixed", features, ethtool.Features, "", "large-receive-offload", "off [fixed]"},
		{"features without a title", "tcp-segmentation-offload: off\n\ttx-tcp-segmentation: off [fixed]\n", ethtool.Features, "", "tx-tcp-segmentation",
			"off [fixed]"},
		{"driver", driver, ethtool.Driver, "", "bus-info", "0000:01:00.0"},
		{"driver, empty", driver, ethtool.Driver, "", "firmware-version", ""},
		{"statistics", statistics, ethtool.Statistics, "", "rx_queue_0:drops", "184467440737095516"},
		{"statistics without a title", strings.TrimPrefix(statistics, "NIC statistics:\n"), ethtool.Statistics, "", "large_packets[0]", "0"},
		{"ring maximum", rings, ethtool.Rings, ethtool.Maximums, "RX", "4096"},
		{"ring current", rings, ethtool.Rings, ethtool.Current, "rx", "512"},
		{"ring without", rings, ethtool.Rings, ethtool.Current, "RX Mini", "n/a"},
		{"coalesce pair", coalesce, ethtool.Coalesce, "", "Adaptive TX", "on"},
		{"coalesce", coalesce, ethtool.Coalesce, "", "rx-usecs", "3"},
		{"pause", pause, ethtool.Pause, "", "RX", "off"},
		{"settings without a title", "\tDuplex: Full\n\tPHYAD: 0\n\tLink detected: yes\n", ethtool.Settings, "", "Link detected", "yes"},
		{"spread", spread, ethtool.Spread, "", "8", "0     1     2     3     0     1     2     3"},
		{"spread, key", spread, ethtool.Spread, "", "RSS hash key", "be:ac:01:fa"},
		{"spread, no key", "RX flow hash indirection table for eth0 with 2 RX ring(s):\n    0:      0     1\nRSS hash key:\nOperation not supported\n",
			ethtool.Spread, "", "RSS hash key", "Operation not supported"},
		{"settings", settings, ethtool.Settings, "", "Speed", "10000Mb/s"},
	} {
		o := codec.Read(t, c.text)
		if len(o.Unknown) > 0 || len(o.Blocks) != 1 || o.Blocks[0].Kind != c.kind {
			t.Errorf("%s: got %+v, unknown %v", c.name, o.Blocks, o.Unknown)
			continue
		}
		i := o.Blocks[0].In(c.section, c.item)
		if i == nil || strings.TrimSuffix(i.Value+" ["+i.Note+"]", " []") != c.want {
			t.Errorf("%s: %s: got %+v, want %q", c.name, c.item, i, c.want)
		}
	}
	modes := codec.Read(t, settings).Blocks[0].Find("Supported link modes")
	if len(modes.More) != 1 || modes.More[0] != "10000baseT/Full" {
		t.Errorf("a list that goes on: got %+v", modes)
	}
	for _, text := range []string{"", "no stats available\n", "netlink error: Operation not supported\n",
		"Cannot get driver information: Operation not supported\n"} {
		if _, err := ethtool.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestSpread(t *testing.T) {
	const title = "RX flow hash indirection table for eth0 with 4 RX ring(s):\n"
	for name, c := range map[string]struct {
		text         string
		used, queues int
		ok           bool
	}{
		"over all":          {spread, 4, 4, true},
		"into one":          {title + "    0:      0     0     0     0     0     0     0     0\n    8:      0     0\n", 1, 4, true},
		"no row":            {title, 0, 4, false},
		"not supported":     {title + "Operation not supported\nRSS hash key:\nOperation not supported\nRSS hash function:\n", 0, 4, false},
		"rows are left out": {title + "    0:      0     0     0     0     0     0     0     0\n  120:      1     1\n", 0, 0, false},
	} {
		used, queues, ok := codec.Read(t, c.text).Blocks[0].Spread()
		if used != c.used || queues != c.queues || ok != c.ok {
			t.Errorf("%s: got %d of %d, %t; want %d of %d, %t", name, used, queues, ok, c.used, c.queues, c.ok)
		}
	}
}

// A driver without counters prints a sentence, which is not a report.
func TestCorpus(t *testing.T) {
	codec.Corpus(t, *update, "linux/ethtool/*", "linux/ethtool_[acgikl]/*", "linux/ethtool_S/[aegn]*", "linux/ethtool_S/hotsos-v*")
}

var all = []string{features, driver, statistics, rings, coalesce, pause, spread, settings}

func TestDamaged(t *testing.T) {
	for _, text := range all {
		codec.Damaged(t, text)
	}
}

func TestFast(t *testing.T)  { codec.Fast(t, strings.Join(all, "")) }
func FuzzParse(f *testing.F) { codec.Fuzz(f, all...) }

// Lines of another output below a report are not ethtool's, though they have labels and values too.
func TestOthersLines(t *testing.T) {
	others := "Static hostname: web7\nOperating System: Red Hat Enterprise Linux 9.4\nKernel: Linux 5.14.0-427.el9.x86_64\n"
	for name, report := range map[string]string{
		"settings": "Settings for eth0:\n\tSpeed: 1000Mb/s\n\tLink detected: yes\n",
		"features": "Features for eth0:\ntcp-segmentation-offload: on\n",
		"driver":   "driver: ixgbe\nversion: 5.14\nsupports-statistics: yes\n",
		"rings":    "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t4096\nRX Mini:\tn/a\nCurrent hardware settings:\nRX:\t\t512\n",
		"counters": "NIC statistics:\n     rx_packets: 12\n",
	} {
		alone, err := ethtool.Parse([]byte(report))
		if err != nil || len(alone.Unknown) > 0 {
			t.Errorf("%s: %v, not understood %v", name, err, alone.Unknown)
		}
		both, err := ethtool.Parse([]byte(report + others))
		if err != nil || len(both.Unknown) != 3 {
			t.Errorf("%s with lines of hostnamectl: %v, not understood %v, want those three", name, err, both.Unknown)
		}
	}
}
