package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
)

const netDevSample = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1042      12    0    0    0     0          0         0     1042      12    0    0    0     0       0          0
  eth0:81234567 61234   1    2    3     4          5         6 91234567   71234    7    8    9    10      11         12
`

func TestParseNetDev(t *testing.T) {
	v, err := ParseProcNetDev([]byte(netDevSample))
	if err != nil || len(v.Unknown) > 0 || len(v.Devices) != 2 || v.Devices[1].Name != "eth0" || v.Devices[1].Number != 4 {
		t.Fatalf("got %+v, %v", v, err)
	}
	for name, want := range map[string]uint64{
		"rx_bytes": 81234567, "rx_packets": 61234, "rx_errors": 1, "rx_dropped+missed": 2, "rx_fifo_errors": 3, "multicast": 6,
		"tx_bytes": 91234567, "tx_packets": 71234, "tx_errors": 7, "tx_dropped": 8, "collisions": 10,
	} {
		if got, ok := v.Devices[1].Counters[name]; !ok || got != want {
			t.Errorf("%s is %d, %v; want %d", name, got, ok, want)
		}
	}
}

func TestNetDevNotUnderstood(t *testing.T) {
	heading := netDevSample[:len("Inter-|   Receive                                                |  Transmit\n")]
	for name, c := range map[string]struct {
		text             string
		devices, unknown int // devices -1: not recognised
	}{
		"empty":           {"", -1, 0},
		"an error":        {"cat: /proc/net/dev: Permission denied\n", -1, 0},
		"no heading":      {"eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n", -1, 0},
		"no device":       {heading, 0, 0},
		"a column less":   {heading + "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n", 0, 1},
		"not a number":    {heading + "eth0: 1 2 3 x 5 6 7 8 9 10 11 12 13 14 15 16\n", 0, 1},
		"cut in a number": {netDevSample[:len(netDevSample)-2], 1, 1},
	} {
		v, err := ParseProcNetDev([]byte(c.text))
		if c.devices < 0 {
			if !errors.Is(err, parse.ErrNotRecognised) {
				t.Errorf("%s: got %+v, %v; want ErrNotRecognised", name, v, err)
			}
			continue
		}
		if err != nil || len(v.Devices) != c.devices || len(v.Unknown) != c.unknown {
			t.Errorf("%s: got %+v, %v; want %d devices and %d lines not understood", name, v, err, c.devices, c.unknown)
		}
	}
}
