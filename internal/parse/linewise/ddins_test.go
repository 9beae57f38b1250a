package linewise

import "testing"

const driverSample = "ent0 pci/goentdd\nent1 mlxentdd\nent2 vioentdd\nvsa0 \n"

func TestParseDrivers(t *testing.T) {
	l, err := ParseDrivers([]byte(driverSample))
	if err != nil || len(l.Drivers) != 3 || len(l.Unknown) > 0 {
		t.Fatalf("got %+v, %v; want three drivers", l, err)
	}
	if got, want := *l.Drivers[0], (DeviceDriver{"ent0", "goentdd"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
