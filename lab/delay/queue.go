package delay

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// queue is one queue of held packets (nfnetlink_queue) that this process reads.
// Only what is known of a packet is read, never the packet.
type queue struct {
	conn   *netlink.Conn
	fd     int
	number uint16
	in     [512]byte // a message without its packet has less than 200 bytes
	out    []byte    // verdicts
}

// held is a packet that waits in a queue.
type held struct {
	id      uint32    // rises in the order of arrival, and wraps
	way     way       // ports of a bridge that it came by and is to leave by
	arrived time.Time // when it came there; zero: the kernel did not say
}

const (
	queuePacket  = unix.NFNL_SUBSYS_QUEUE << 8     // NFQNL_MSG_PACKET
	queueVerdict = unix.NFNL_SUBSYS_QUEUE<<8 | 1   // NFQNL_MSG_VERDICT
	queueConfig  = unix.NFNL_SUBSYS_QUEUE<<8 | 2   // NFQNL_MSG_CONFIG
	verdictSize  = unix.SizeofNlMsghdr + 4 + 4 + 8 // headers, and an attribute of a verdict and a number
)

// openQueue makes this process the reader of a queue of the thread's network
// namespace, which holds up to length packets and loses what is beyond.
func openQueue(number uint16, length uint32) (_ *queue, err error) {
	const (
		command, params, maxLength, mask, flags = 1, 2, 3, 4, 5 // NFQA_CFG_*
		bind, metadata, wholeLargeFrames        = 1, 1, 1 << 2
	)
	q := &queue{number: number}
	if q.conn, err = netlink.Dial(unix.NETLINK_NETFILTER, nil); err != nil {
		return nil, fmt.Errorf("this kernel has no packet filter (netfilter): %w", err)
	}
	defer func() {
		if err != nil {
			q.conn.Close()
		}
	}()
	_ = q.conn.SetReadBuffer(16 << 20) // what the machine allows
	_ = q.conn.SetOption(netlink.NoENOBUFS, true)
	a := netlink.NewAttributeEncoder()
	a.ByteOrder = binary.BigEndian
	a.Bytes(command, []byte{bind, 0, 0, 0})
	a.Bytes(params, []byte{0, 0, 0, 0, metadata})
	a.Uint32(maxLength, length)
	a.Uint32(mask, wholeLargeFrames)
	a.Uint32(flags, wholeLargeFrames)
	body, err := a.Encode()
	if err != nil {
		return nil, err
	}
	_, err = q.conn.Execute(netlink.Message{
		Header: netlink.Header{Type: queueConfig, Flags: netlink.Request | netlink.Acknowledge},
		Data:   append(binary.BigEndian.AppendUint16([]byte{0, 0}, number), body...),
	})
	if err != nil {
		return nil, fmt.Errorf("this kernel holds no packets (nfnetlink_queue): %w", err)
	}
	raw, err := q.conn.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) { q.fd = int(fd) })
	}
	return q, err
}

// close gives the queue up; what still waits is lost.
func (q *queue) close() { q.conn.Close() }

// next is the next packet that has come; false if none has. It does not wait.
func (q *queue) next() (held, bool, error) {
	for {
		n, err := unix.Read(q.fd, q.in[:])
		switch err {
		case nil:
		case unix.EAGAIN, unix.EINTR, unix.ENOBUFS:
			return held{}, false, nil
		default:
			return held{}, false, os.NewSyscallError("read", err)
		}
		if h, ok := parseHeld(q.in[:n]); ok {
			return h, true, nil
		}
	}
}

// parseHeld reads one message of a queue; false if it is not one of a packet.
func parseHeld(b []byte) (h held, ok bool) {
	const packet, stamp, from, to = 1, 4, 7, 8 // NFQA_PACKET_HDR, _TIMESTAMP, _IFINDEX_PHYSINDEV, _IFINDEX_PHYSOUTDEV
	if len(b) < unix.SizeofNlMsghdr+4 || binary.NativeEndian.Uint16(b[4:]) != queuePacket {
		return h, false
	}
	size := min(uint32(len(b)), binary.NativeEndian.Uint32(b))
	a, err := netlink.NewAttributeDecoder(b[min(size, unix.SizeofNlMsghdr+4):size])
	if err != nil {
		return h, false
	}
	for a.Next() {
		switch v := a.Bytes(); {
		case a.Type() == packet && len(v) >= 4:
			h.id, ok = binary.BigEndian.Uint32(v), true
		case a.Type() == stamp && len(v) >= 16:
			h.arrived = time.Unix(int64(binary.BigEndian.Uint64(v)), int64(binary.BigEndian.Uint64(v[8:]))*1000)
		case a.Type() == from && len(v) >= 4:
			h.way.from = binary.BigEndian.Uint32(v)
		case a.Type() == to && len(v) >= 4:
			h.way.to = binary.BigEndian.Uint32(v)
		}
	}
	return h, ok
}

// release lets packets go on, in the order of the list.
func (q *queue) release(ids []uint32) error {
	const verdict, accept, atOnce = 2, 1, 128 // NFQA_VERDICT_HDR, NF_ACCEPT
	for len(ids) > 0 {
		n := min(len(ids), atOnce)
		q.out = q.out[:0]
		for _, id := range ids[:n] {
			q.out = binary.NativeEndian.AppendUint32(q.out, verdictSize)
			q.out = binary.NativeEndian.AppendUint16(q.out, queueVerdict)
			q.out = binary.NativeEndian.AppendUint16(q.out, unix.NLM_F_REQUEST)
			q.out = append(q.out, make([]byte, 8+2)...) // sequence, port; family, version
			q.out = binary.BigEndian.AppendUint16(q.out, q.number)
			q.out = binary.NativeEndian.AppendUint16(q.out, 4+8)
			q.out = binary.NativeEndian.AppendUint16(q.out, verdict)
			q.out = binary.BigEndian.AppendUint32(q.out, accept)
			q.out = binary.BigEndian.AppendUint32(q.out, id)
		}
		if err := unix.Sendto(q.fd, q.out, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
			return os.NewSyscallError("sendto", err)
		}
		ids = ids[n:]
	}
	return nil
}

// QueueFile lists the queues of a namespace.
const QueueFile = "/proc/net/netfilter/nfnetlink_queue"

// QueueLosses reads in QueueFile how many packets a queue has lost since it was
// opened: because it was full, or because the list of new ones was full before
// its reader came. An error says that the queue is not there.
func QueueLosses(text []byte, number uint16) (uint64, error) {
	for line := range bytes.Lines(text) {
		var queue uint16
		var reader, waiting, mode, size, full, unread uint32
		_, err := fmt.Sscan(string(line), &queue, &reader, &waiting, &mode, &size, &full, &unread)
		if err == nil && queue == number {
			return uint64(full) + uint64(unread), nil
		}
	}
	return 0, fmt.Errorf("%s: no queue %d", QueueFile, number)
}
