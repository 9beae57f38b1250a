package knowledge

import "slices"

// Role holds what an attribute is to the program, whatever a layer calls it: code asks for
// roles, and the names stand in YAML alone.
type Role string

const (
	FrameSize       Role = "frame-size"       // the MTU of an interface
	JumboFrames     Role = "jumbo-frames"     // frames above 1500 bytes pass
	LargeSend       Role = "large-send"       // TCP hands packets down that are larger than a frame
	LargeReceive    Role = "large-receive"    // received frames are joined
	ChecksumOffload Role = "checksum-offload" // the adapter makes checksums
	ScatterGather   Role = "scatter-gather"   // the adapter takes packets in pieces
	SendWindow      Role = "send-window"      // TCP's send buffer
	ReceiveWindow   Role = "receive-window"   // TCP's receive buffer
	WindowScaling   Role = "window-scaling"   // windows above 64 KB
	BufferCeiling   Role = "buffer-ceiling"   // of all socket buffers
	ReceiveQueues   Role = "receive-queues"   // of an adapter
)

// Roles lists all of them.
var Roles = []Role{FrameSize, JumboFrames, LargeSend, LargeReceive, ChecksumOffload, ScatterGather, SendWindow, ReceiveWindow,
	WindowScaling, BufferCeiling, ReceiveQueues}

// ByRole gives the name of the attribute that has a role in a layer; empty: none has.
func (c *Catalog) ByRole(layer string, role Role) string {
	list := c.attributes[layer]
	i := slices.IndexFunc(list, func(a Attribute) bool { return a.Role == role })
	if i < 0 {
		return ""
	}
	return list[i].Name
}

// Has says whether an attribute has a role in any layer, whatever element it is of.
func (c *Catalog) Has(name string, role Role) bool {
	return slices.ContainsFunc(c.Layers(), func(layer string) bool {
		a := c.find(layer, name)
		return a != nil && a.Role == role
	})
}

// RoleOf gives the role of an attribute of a layer, as Attribute finds it; empty: it has
// none.
func (c *Catalog) RoleOf(layer, name string) Role {
	if a, ok := c.Attribute(layer, name); ok {
		return a.Role
	}
	return ""
}
