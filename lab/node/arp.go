package node

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// arp prints the kernel's table of neighbours, arp -a and arp -an: those of the
// node whose hardware address is known. The buckets of AIX's table are not
// there, since the kernel's table has others.
func (w *World) arp(_ context.Context, c *Call) int {
	const how = "arp -a [-n]"
	o, err := letters("an", c.Argv[1:])
	switch {
	case err != nil:
		return usage(c, err, how)
	case !o.has("a") && !o.has("n") || len(o.rest) > 0:
		return usage(c, errors.New("this lab's arp shows the table"), how)
	}
	text, err := w.ReadFile(c.Node, "/proc/net/arp")
	if err != nil {
		return fail(c, "", err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if ip, mac, ok := kernelNeighbour(line); ok {
			fmt.Fprintf(c.Stdout, "  ? (%s) at %s [ethernet]\n", ip, mac)
			n++
		}
	}
	fmt.Fprintf(c.Stdout, "\nThere are %d entries in the arp table.\n", n)
	return 0
}

// kernelNeighbour reads a line of /proc/net/arp: address, type (0x1: Ethernet),
// flags (0x2: complete), hardware address. AIX prints the latter without
// leading zeros.
func kernelNeighbour(line string) (ip, mac string, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || f[1] != "0x1" {
		return "", "", false
	}
	flags, err := strconv.ParseUint(f[2], 0, 16)
	hw, err2 := hex.DecodeString(strings.ReplaceAll(f[3], ":", ""))
	if err != nil || err2 != nil || flags&2 == 0 || len(hw) != 6 {
		return "", "", false
	}
	parts := make([]string, len(hw))
	for i, b := range hw {
		parts[i] = strconv.FormatUint(uint64(b), 16)
	}
	return f[0], strings.Join(parts, ":"), true
}
