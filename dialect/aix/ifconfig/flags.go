package ifconfig

// State is what decides the flags AIX 7.2 prints for an Ethernet interface.
type State struct {
	Up             bool
	ChecksumActive bool // the adapter's chksum_offload works
	LargeSend      bool // mtu_bypass=on, or ifconfig enN largesend
	Thread         bool // thread=on, or ifconfig enN thread
}

// Ethernet is an interface over an Ethernet adapter with the flags AIX 7.2
// prints for that state: flags=1e084863,480<UP,...,CHAIN>. LARGESEND is bit 40
// of the second word, checksum offload bit 10000000 of the first. No output at
// hand tells which bit THREAD is, so none is set for it.
func Ethernet(name string, s State) *Interface {
	i := &Interface{Name: name, Words: []uint64{0x0e084862, 0x480}}
	if s.Up {
		i.Words[0] |= 0x1
		i.Names = append(i.Names, "UP")
	}
	i.Names = append(i.Names, "BROADCAST", "NOTRAILERS", "RUNNING", "SIMPLEX", "MULTICAST", "GROUPRT", "64BIT")
	if s.ChecksumActive {
		i.Words[0] |= 0x10000000
		i.Names = append(i.Names, "CHECKSUM_OFFLOAD(ACTIVE)")
	}
	if s.LargeSend {
		i.Words[1] |= LargeSend
		i.Names = append(i.Names, "LARGESEND")
	}
	if s.Thread {
		i.Names = append(i.Names, "THREAD")
	}
	i.Names = append(i.Names, "CHAIN")
	return i
}

// Loopback is lo0 as AIX 7.2 prints it.
func Loopback() *Interface {
	return &Interface{
		Name:  "lo0",
		Words: []uint64{0x0e08084b, 0xc0},
		Names: []string{"UP", "BROADCAST", "LOOPBACK", "RUNNING", "SIMPLEX", "MULTICAST", "GROUPRT", "64BIT", "LARGESEND", "CHAIN"},
	}
}
