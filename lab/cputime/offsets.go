package cputime

import (
	"fmt"
	"strings"

	"github.com/cilium/ebpf/btf"
)

// offsets are where this kernel keeps what leads from a frame or a task to
// the number of its network namespace, in bytes, by its own description (BTF).
type offsets struct {
	skbDev    int16 // sk_buff.dev
	queueDev  int16 // netdev_queue.dev
	devNet    int16 // net_device.nd_net.net
	netInum   int16 // net.ns.inum
	taskProxy int16 // task_struct.nsproxy
	taskPID   int16 // task_struct.pid
	proxyNet  int16 // nsproxy.net_ns
}

func readOffsets(spec *btf.Spec) (offsets, error) {
	var o offsets
	for _, f := range []struct {
		at   *int16
		path string
	}{
		{&o.skbDev, "sk_buff.dev"}, {&o.queueDev, "netdev_queue.dev"}, {&o.devNet, "net_device.nd_net.net"}, {&o.netInum, "net.ns.inum"},
		{&o.taskProxy, "task_struct.nsproxy"}, {&o.taskPID, "task_struct.pid"}, {&o.proxyNet, "nsproxy.net_ns"},
	} {
		name, rest, _ := strings.Cut(f.path, ".")
		var s *btf.Struct
		if err := spec.TypeByName(name, &s); err != nil {
			return o, fmt.Errorf("this kernel does not describe struct %s: %w", name, err)
		}
		bits, ok := find(s.Members, strings.Split(rest, "."))
		if !ok || bits%8 != 0 || bits/8 > 1<<15-1 {
			return o, fmt.Errorf("this kernel has no %s", f.path)
		}
		*f.at = int16(bits / 8)
	}
	return o, nil
}

// find gives the place of a member, also of one in a nameless union.
func find(members []btf.Member, path []string) (btf.Bits, bool) {
	for _, m := range members {
		var inner []btf.Member
		switch t := btf.UnderlyingType(m.Type).(type) {
		case *btf.Struct:
			inner = t.Members
		case *btf.Union:
			inner = t.Members
		}
		rest := path
		switch {
		case m.Name == path[0] && len(path) == 1:
			return m.Offset, true
		case m.Name == path[0]:
			rest = path[1:]
		case m.Name != "":
			continue
		}
		if at, ok := find(inner, rest); ok {
			return m.Offset + at, true
		}
	}
	return 0, false
}
