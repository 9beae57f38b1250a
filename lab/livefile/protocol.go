package livefile

import (
	"bytes"

	"golang.org/x/sys/unix"
)

// Requests of the kernel (linux/fuse.h).
const (
	opLookup      = 1
	opForget      = 2
	opGetattr     = 3
	opOpen        = 14
	opRead        = 15
	opRelease     = 18
	opFlush       = 25
	opInit        = 26
	opInterrupt   = 36
	opDestroy     = 38
	opBatchForget = 42
)

const (
	major, minor = 7, 31
	headerSize   = 40 // of a request: length, code, number, node, whose, padding
	replySize    = 16 // of a reply's header: length, error, number
	directIO     = 1  // the kernel keeps no copy, and asks whatever the size is
	noFlush      = 32 // nobody waits for us on close (Linux 5.16)
)

// answer is the reply to one request; nil where none is wanted, or where the
// request is none.
func (f *Folder) answer(request []byte) []byte {
	if len(request) < headerSize {
		return nil
	}
	code, number, node := order.Uint32(request[4:]), order.Uint64(request[8:]), order.Uint64(request[16:])
	switch code {
	case opForget, opBatchForget, opInterrupt:
		return nil
	}
	body, failed := f.do(code, node, request[headerSize:])
	reply := make([]byte, replySize, replySize+len(body))
	if failed != 0 {
		body = nil
		order.PutUint32(reply[4:], uint32(-int32(failed)))
	}
	order.PutUint32(reply, uint32(replySize+len(body)))
	order.PutUint64(reply[8:], number)
	return append(reply, body...)
}

// do gives the body of a reply, or the error.
func (f *Folder) do(code uint32, node uint64, args []byte) ([]byte, unix.Errno) {
	// The shortest arguments that each request has.
	if short := map[uint32]int{opInit: 8, opRead: 20, opRelease: 8}[code]; len(args) < short {
		return nil, unix.EINVAL
	}
	var out writer
	switch code {
	case opInit:
		if order.Uint32(args) != major {
			return nil, unix.EPROTO
		}
		// version, read ahead, flags, queue lengths, largest write, and the rest zero
		out.u32(major, min(order.Uint32(args[4:]), minor), 0, 0, 0, 4096, 1)
		out.grow(64)
	case opLookup:
		name, _, _ := bytes.Cut(args, []byte{0})
		child, ok := f.number(string(name))
		if node != rootNode || !ok {
			return nil, unix.ENOENT
		}
		out.u64(child, 0, 3600, 3600) // number, generation, how long name and attributes hold in s
		out.u32(0, 0)
		out.attributes(child)
	case opGetattr:
		out.u64(3600)
		out.u32(0, 0)
		out.attributes(node)
	case opOpen:
		handle, failed := f.opened(node)
		if failed != 0 {
			return nil, failed
		}
		out.u64(handle)
		out.u32(directIO|noFlush, 0)
	case opRead:
		return f.part(order.Uint64(args), order.Uint64(args[8:]), order.Uint32(args[16:])), 0
	case opRelease:
		f.released(order.Uint64(args))
	case opFlush, opDestroy:
	default:
		return nil, unix.ENOSYS
	}
	return out.b, 0
}

// writer puts numbers one behind the other, in the machine's byte order.
type writer struct{ b []byte }

func (w *writer) u32(all ...uint32) {
	for _, v := range all {
		w.b = order.AppendUint32(w.b, v)
	}
}

func (w *writer) u64(all ...uint64) {
	for _, v := range all {
		w.b = order.AppendUint64(w.b, v)
	}
}

// grow fills up with zeros.
func (w *writer) grow(size int) { w.b = append(w.b, make([]byte, size-len(w.b))...) }

// attributes are those of a file in /proc: readable for all, without a size.
func (w *writer) attributes(node uint64) {
	mode, links := uint32(unix.S_IFREG|0o444), uint32(1)
	if node == rootNode {
		mode, links = unix.S_IFDIR|0o555, 2
	}
	w.u64(node, 0, 0, 0, 0, 0)                    // number, size, blocks, times
	w.u32(0, 0, 0, mode, links, 0, 0, 0, 4096, 0) // times' ns, mode, links, user, group, device, block size
}
