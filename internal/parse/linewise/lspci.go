package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// PCIDevices is lspci -vv of Linux: the links of devices to their slots.
type PCIDevices struct {
	parse.Report
	Links []*PCILink `json:"links"`
}

// PCILink is the link of a device: what the device can, and what it has.
type PCILink struct {
	Address  string `json:"address"` // 41:00.0
	Device   string `json:"device"`  // Ethernet controller: …
	CanSpeed string `json:"can_speed,omitempty"`
	CanWidth string `json:"can_width,omitempty"` // x16
	Speed    string `json:"speed,omitempty"`     // 8GT/s
	Width    string `json:"width,omitempty"`
	Line     int    `json:"-"` // 1-based, of what it has
}

var (
	pciDevice = parse.Lazy(`^((?:[0-9a-f]{4,5}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\s+(\S.*)$`)
	pciCan    = parse.Lazy(`^\s+LnkCap:\s.*Speed ([\d.]+GT/s)[^,]*, Width (x\d+)`)
	pciHas    = parse.Lazy(`^\s+LnkSta:\s+Speed ([\d.]+GT/s)[^,]*, Width (x\d+)`)
	pciOther  = parse.Lazy(`^(?:\s.*|(?:Slot|Class|Vendor|Device|SVendor|SDevice|PhySlot|Rev|ProgIf|Driver|Module|NUMANode|IOMMUGroup):.*)?$`)
)

var pciOutput = &output[PCIDevices]{
	name: "lspci", ignored: pciOther, ended: true,
	rows:       []line[PCIDevices]{(*PCIDevices).readLink},
	recognised: func(d *PCIDevices) bool { return len(d.Links) > 0 },
}

// ParsePCIDevices reads an output; parse.ErrNotRecognised without a device.
func ParsePCIDevices(text []byte) (*PCIDevices, error) { return pciOutput.parse(text) }

func (d *PCIDevices) readLink(l parse.Line) bool {
	x := &PCILink{}
	if pciDevice.Scan(l.Text, &x.Address, &x.Device) {
		d.Links = append(d.Links, x)
		return true
	}
	if len(d.Links) == 0 {
		return false
	}
	x = d.Links[len(d.Links)-1]
	if x.CanWidth == "" && pciCan.Scan(l.Text, &x.CanSpeed, &x.CanWidth) {
		return true
	}
	if x.Width == "" && pciHas.Scan(l.Text, &x.Speed, &x.Width) {
		x.Line = l.Number
		return true
	}
	return false
}

// Network says that the device is one for a network.
func (x *PCILink) Network() bool {
	return strings.HasPrefix(x.Device, "Ethernet controller") || strings.HasPrefix(x.Device, "Network controller") ||
		strings.HasPrefix(x.Device, "Infiniband controller")
}

// Narrow says that the device has a link of fewer lanes, or slower ones, than it can; known is false where one was not printed.
func (x *PCILink) Narrow() (narrow, known bool) {
	if x.CanWidth == "" || x.Width == "" {
		return false, false
	}
	return x.CanWidth != x.Width || x.CanSpeed != x.Speed, true
}
