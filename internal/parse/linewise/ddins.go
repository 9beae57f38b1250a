package linewise

import "seaworthy/internal/parse"

// DriverList is the output of lsdev -Cc adapter -F "name ddins".
type DriverList struct {
	parse.Report
	Drivers []*DeviceDriver `json:"drivers,omitempty"`
}

// DeviceDriver is one line: a device, and the kernel extension that drives it.
type DeviceDriver struct {
	Device string `json:"device" from:"device"`
	Driver string `json:"driver" from:"driver"` // mlxentdd, without its folder
}

var driversOutput = &output[DriverList]{
	name: "lsdev-ddins",
	rows: []line[DriverList]{row(
		parse.Lazy(`^\s*(?P<device>[a-z]+[0-9]+)[ \t]+(?:[A-Za-z0-9_.-]+/)*(?P<driver>[A-Za-z0-9_]+dd)\s*$`),
		func(l *DriverList) *[]*DeviceDriver { return &l.Drivers }, nil)},
	ignored: parse.Lazy(`^\s*[a-z]+[0-9]+[ \t]*\S*\s*$`), // a device without a driver, or with one of another name
}

// ParseDrivers reads the drivers of devices; parse.ErrNotRecognised if no line has one.
func ParseDrivers(text []byte) (*DriverList, error) { return driversOutput.parse(text) }
