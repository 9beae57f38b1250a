package nfnl

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Queue is one queue of held frames (nfnetlink_queue) that this process reads.
// Only what is known of a frame is read, never the frame.
type Queue struct {
	socket
	number uint16
	slots  [slotCount]slot
	heads  [slotCount]multiple
	pass   []byte // the verdict that lets one go on, but for its number
	out    []byte // verdicts
}

const (
	slotCount = 128 // messages of one system call
	slotSize  = 512 // of a message without its frame: below 200 bytes
)

type slot struct {
	data [slotSize]byte
	io   unix.Iovec
}

// multiple is the kernel's mmsghdr.
type multiple struct {
	head unix.Msghdr
	size uint32
}

// Held is a frame that waits in a queue.
type Held struct {
	ID      uint32    // rises in the order of arrival, and wraps
	From    uint32    // index of the port of a bridge it came by
	To      uint32    // of the port it is to leave by
	Arrived time.Time // when it came there; zero: the kernel did not say
}

const (
	queueSubsystem = unix.NFNL_SUBSYS_QUEUE << 8
	queuePacket    = queueSubsystem     // | 0: NFQNL_MSG_PACKET
	queueVerdict   = queueSubsystem | 1 // NFQNL_MSG_VERDICT
	queueConfig    = queueSubsystem | 2 // NFQNL_MSG_CONFIG
)

// OpenQueue makes this process the reader of a queue of the thread's network
// namespace, which holds up to length frames and loses what is beyond.
func OpenQueue(number uint16, length uint32) (*Queue, error) {
	const (
		command, params, maxLength, mask, flags = 1, 2, 3, 4, 5 // NFQA_CFG_*
		bind, metadata, wholeLargeFrames        = 1, 1, 1 << 2
	)
	s, err := open()
	if err != nil {
		return nil, err
	}
	q := &Queue{socket: *s, number: number}
	// More than the limit of the machine takes privilege of the machine.
	const buffer = 16 << 20
	if unix.SetsockoptInt(q.fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, buffer) != nil {
		_ = unix.SetsockoptInt(q.fd, unix.SOL_SOCKET, unix.SO_RCVBUF, buffer)
	}
	_ = unix.SetsockoptInt(q.fd, unix.SOL_NETLINK, unix.NETLINK_NO_ENOBUFS, 1)
	m := message(queueConfig, unix.NLM_F_ACK, 1, 0, number, join(
		Attr(command, []byte{bind, 0, 0, 0}), Attr(params, []byte{0, 0, 0, 0, metadata}),
		Be32(maxLength, length), Be32(mask, wholeLargeFrames), Be32(flags, wholeLargeFrames)))
	if err = q.send(m); err == nil {
		err = q.acks(1)
	}
	if err != nil {
		q.Close()
		return nil, fmt.Errorf("this kernel holds no frames (nfnetlink_queue): %w", err)
	}
	for i := range q.slots {
		s := &q.slots[i]
		s.io.Base = &s.data[0]
		s.io.SetLen(slotSize)
		q.heads[i].head.Iov = &s.io
		q.heads[i].head.SetIovlen(1)
	}
	const verdict, accept = 2, 1 // NFQA_VERDICT_HDR, NF_ACCEPT
	q.pass = message(queueVerdict, 0, 0, 0, number, Attr(verdict, binary.BigEndian.AppendUint64(nil, accept<<32)))
	return q, nil
}

// FD is the socket, which poll(2) says is readable once frames wait.
func (q *Queue) FD() int { return q.fd }

// Close gives the queue up; what still waits is lost.
func (q *Queue) Close() { q.close() }

// Read calls f for each frame that has come since, up to some hundred, and
// says whether there may be more. It does not wait.
func (q *Queue) Read(f func(Held)) (more bool, err error) {
	n, _, e := unix.Syscall6(unix.SYS_RECVMMSG, uintptr(q.fd), uintptr(unsafe.Pointer(&q.heads[0])), slotCount, unix.MSG_DONTWAIT, 0, 0)
	switch {
	case e == unix.EAGAIN || e == unix.EINTR || e == unix.ENOBUFS:
		return false, nil
	case e != 0:
		return false, os.NewSyscallError("recvmmsg", e)
	}
	for i := range int(n) {
		if h, ok := held(q.slots[i].data[:min(q.heads[i].size, slotSize)]); ok {
			f(h)
		}
	}
	return n == slotCount, nil
}

// held reads one message of a queue; false if it is none of a frame.
func held(b []byte) (h Held, ok bool) {
	const packet, stamp, from, to = 1, 4, 7, 8 // NFQA_PACKET_HDR, _TIMESTAMP, _IFINDEX_PHYSINDEV, _IFINDEX_PHYSOUTDEV
	if len(b) < unix.SizeofNlMsghdr+4 || binary.NativeEndian.Uint16(b[4:]) != queuePacket {
		return h, false
	}
	b = b[:min(len(b), int(binary.NativeEndian.Uint32(b)))]
	for b = b[min(len(b), unix.SizeofNlMsghdr+4):]; len(b) >= 4; {
		n := int(binary.NativeEndian.Uint16(b))
		if n < 4 || n > len(b) {
			break
		}
		v := b[4:n]
		switch kind := binary.NativeEndian.Uint16(b[2:]) &^ (unix.NLA_F_NESTED | unix.NLA_F_NET_BYTEORDER); {
		case kind == packet && len(v) >= 4:
			h.ID, ok = binary.BigEndian.Uint32(v), true
		case kind == stamp && len(v) >= 16:
			h.Arrived = time.Unix(int64(binary.BigEndian.Uint64(v)), int64(binary.BigEndian.Uint64(v[8:]))*1000)
		case kind == from && len(v) >= 4:
			h.From = binary.BigEndian.Uint32(v)
		case kind == to && len(v) >= 4:
			h.To = binary.BigEndian.Uint32(v)
		}
		b = b[min(len(b), (n+3)&^3):]
	}
	return h, ok
}

// Release lets frames go on, in the order of the list.
func (q *Queue) Release(ids []uint32) error {
	for len(ids) > 0 {
		n := min(len(ids), slotCount)
		q.out = q.out[:0]
		for _, id := range ids[:n] {
			q.out = append(q.out, q.pass...)
			binary.BigEndian.PutUint32(q.out[len(q.out)-4:], id)
		}
		if err := q.send(q.out); err != nil {
			return os.NewSyscallError("sendto", err)
		}
		ids = ids[n:]
	}
	return nil
}
