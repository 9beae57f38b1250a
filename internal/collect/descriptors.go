package collect

import (
	"cmp"

	"golang.org/x/sys/unix"
)

// Descriptors that are taken while hosts are read: what the program itself needs, and a host's
// ssh -G, or later its connection and the file of an output.
const (
	ownDescriptors  = 24
	hostDescriptors = 8
)

// room is how many hosts the limit of open files leaves room for.
type room struct {
	read      int // at the same time
	connected int // stay connected after they were read
}

// hostRoom is the room that a limit of open files leaves; no limit is 0.
func hostRoom(limit uint64) room {
	r := room{read: maxMeasured, connected: maxConnected}
	if limit == 0 || limit > 1<<16 {
		return r
	}
	r.connected = min(r.connected, int(limit)/4)
	r.read = max(1, min(r.read, (int(limit)-ownDescriptors-r.connected)/hostDescriptors))
	return r
}

// OpenFiles is how many files this program may have open; 0: not known.
func OpenFiles() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}

// atOnce is how many of so many hosts are read at once: all, where they wait for each
// other's addresses, as far as there is room.
func (o Options) atOnce(hosts int, has room) int {
	if o.Hosts == 0 && o.RoundTrips && hosts <= maxMeasured {
		return has.read
	}
	return min(cmp.Or(o.Hosts, 16), has.read)
}
