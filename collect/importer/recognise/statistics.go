package recognise

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/aix/seastat"
	"seaworthy/dialect/aix/vnicstat"
)

// statisticsKinds print the counters of adapters; the later ones print what
// the earlier ones print, and a part of it more.
var statisticsKinds = []kind{
	{name: "seastat -d", id: "seastat", family: VIOS, device: true, mark: mark(`^Advanced Statistics for SEA`), read: readSeastat},
	{name: "vnicstat", id: "vnicstat", family: VIOS, device: true, mark: mark(`^VNIC Server Statistics:`), read: readVnicstat},
	{name: "entstat -d", id: "entstat-d", family: AIX, device: true, mark: mark(`^[ \t]*(?:ETHERNET STATISTICS|Device Type:|FIBRE CHANNEL STATISTICS)`), read: readEntstat},
}

func readSeastat(text []byte, f *Found) (*dialect.Report, error) {
	s, err := seastat.Parse(text)
	if err == nil {
		f.Element = s.Device
	}
	return of(s, err, func(s *seastat.Statistics) *dialect.Report { return &s.Report })
}

func readVnicstat(text []byte, f *Found) (*dialect.Report, error) {
	o, err := vnicstat.Parse(text)
	if err == nil && len(o.Servers) > 0 {
		f.Element = o.Servers[0].Name
	}
	return of(o, err, func(o *vnicstat.Output) *dialect.Report { return &o.Report })
}

// readEntstat tells the statistics of one device from netstat -v, which prints
// those of all, and from fcstat, which prints those of none.
func readEntstat(text []byte, f *Found) (*dialect.Report, error) {
	l, err := entstat.ParseAll(text)
	if err != nil {
		return nil, err
	}
	all := l.Adapters()
	alone := 0
	for _, s := range all {
		if !s.Empty() {
			alone++
		}
	}
	switch {
	case alone == 0 && (len(l.Parts) == 0 || l.Parts[0].Foreign == nil):
		return nil, dialect.ErrNotRecognised
	case alone == 0:
		f.Kind, f.ID, f.Known, f.Element = "fcstat", "fcstat", false, l.Parts[0].Foreign.Name
		return &l.Report, nil
	case len(l.Parts) > 1:
		f.Kind, f.ID = "netstat -v", "netstat-v"
		if alone == 1 && f.Element == "" && len(all) == 1 {
			f.Element = all[0].Adapter()
		}
	default:
		f.Element = all[0].Adapter()
		if bridge := all[0].Bridge(); bridge != nil {
			f.Family = VIOS
		}
	}
	// entstat of an interface is asked for by its name and is about its adapter.
	if n, ok := strings.CutPrefix(f.Element, "en"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
		l.Warn(0, fmt.Sprintf("the statistics are headed %s: they are those of ent%s", f.Element, n))
		f.Element = "ent" + n
	}
	return &l.Report, nil
}
