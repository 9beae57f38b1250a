package collect

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"seaworthy/internal/test/remotetest"
)

func TestCounters(t *testing.T) {
	var packets, listed atomic.Int64
	packets.Store(100)
	answers := aixHost()
	f := remotetest.Start(t, map[string]remotetest.Handler{"root@host": func(ctx context.Context, c *remotetest.Call) int {
		switch {
		case strings.HasSuffix(c.Line, "lsdev -Cc adapter"):
			listed.Add(1)
		case strings.HasSuffix(c.Line, "entstat -d ent0"):
			fmt.Fprintf(c.Stdout, "-------------------------------------------------------------\nETHERNET STATISTICS (ent0) :\n"+
				"Device Type: Virtual I/O Ethernet Adapter (l-lan)\nHardware Address: 4a:5b:6c:7d:8e:01\nElapsed Time: 0 days 1 hours 2 minutes 3 seconds\n\n"+
				"Transmit Statistics:                          Receive Statistics:\n--------------------                          -------------------\n"+
				"Packets: %-37dPackets: 7\nBytes: 1000                                   Bytes: 2000\n\n", packets.Load())
			return 0
		}
		return answers.Serve(ctx, c)
	}})
	var counters Counters
	for i, want := range []uint64{100, 250} {
		packets.Store(int64(want))
		got, err := counters.Read(t.Context(), f.Host("host"))
		if err != nil {
			t.Fatal(err)
		}
		if n := got["ent0"]["tx.Packets"]; n != want {
			t.Errorf("reading %d: got tx.Packets %d (of %v), want %d", i+1, n, got["ent0"], want)
		}
	}
	if n := listed.Load(); n != 1 {
		t.Errorf("the adapters were listed %d times, want once: only counters are read again", n)
	}
}
