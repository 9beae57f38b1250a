package nfnl

import (
	"bytes"
	"fmt"
	"strconv"
)

// QueueFile tells of the queues of a namespace.
const QueueFile = "/proc/net/netfilter/nfnetlink_queue"

// QueueLosses reads in QueueFile how many packets a queue has lost since it was
// opened: because it was full, or because the list of new ones was full before
// its reader came. An error says that the queue is not there.
func QueueLosses(text []byte, number uint16) (uint64, error) {
	const full, unread = 5, 6 // columns
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		if len(f) <= unread || string(f[0]) != strconv.Itoa(int(number)) {
			continue
		}
		sum := uint64(0)
		for _, column := range []int{full, unread} {
			n, err := strconv.ParseUint(string(f[column]), 10, 32)
			if err != nil {
				return 0, fmt.Errorf("%s: losses of queue %d: %w", QueueFile, number, err)
			}
			sum += n
		}
		return sum, nil
	}
	return 0, fmt.Errorf("%s: there is no queue %d", QueueFile, number)
}
