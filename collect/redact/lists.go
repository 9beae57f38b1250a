package redact

import (
	"strings"

	"seaworthy/collect"
	"seaworthy/dialect"
	"seaworthy/dialect/aix/hmc"
	"seaworthy/dialect/aix/lsmap"
)

// lists takes what only its column of a table shows to be a name, a MAC address
// or a serial number: the lists of an HMC, with and without the columns' names
// beside the values, and the clients in lsmap.
func (r *Redactor) lists(rec *collect.Record, text []byte) {
	switch {
	case strings.HasPrefix(rec.ID, "hmc-"):
		l, err := hmc.Read(rec.Line, text)
		if err != nil {
			return
		}
		for i := range l.Records {
			r.record(&l.Records[i])
		}
	case strings.HasPrefix(rec.ID, "lsmap"):
		m, err := lsmap.Parse(text)
		if err != nil {
			return
		}
		for _, o := range m.Others {
			// physical location, client's id, its name
			if (strings.HasPrefix(o.Name, "vnicserver") || strings.HasPrefix(o.Name, "vfchost")) && len(o.Fields) > 2 {
				r.name(o.Fields[2])
			}
		}
	}
}

// record takes one line of an HMC's list.
func (r *Redactor) record(x *hmc.Record) {
	_, partition := x.Get("lpar_id")
	_, system := x.Get("type_model")
	for _, f := range x.Fields {
		switch f.Name {
		case "lpar_name", "client_lpar_name", "backing_lpar_name", "remote_lpar_name", "hmc_name", "hostname", "sys_name":
			r.names(f.Value)
		case "name":
			if partition || system {
				r.names(f.Value)
			}
		case "mac_addr", "curr_mac_addr":
			r.bare[strings.ToUpper(f.Value)] = true
		case "serial_num", "logical_serial_num":
			if f.Value != "" && f.Value != "null" {
				r.word(f.Value, r.key.Serial(f.Value))
			}
		case "backing_devices":
			for _, d := range strings.Split(f.Value, ",") {
				if parts := strings.Split(d, "/"); len(parts) > 2 && parts[0] == "sriov" {
					r.names(parts[1])
				}
			}
		}
	}
}

// names takes a name that may have several words.
func (r *Redactor) names(s string) {
	for w := range strings.FieldsSeq(s) {
		if w != "null" && w != "none" && w != "all" {
			r.name(w)
		}
	}
}

var (
	bareWord = dialect.Lazy(`(?:\b|\b0x)[0-9A-Fa-f]{12}\b`)
	unparted = strings.NewReplacer(":", "", "-", "")
)

// macs takes the MAC addresses of a text, so that they are known where nothing
// parts their digits.
func (r *Redactor) macs(text string) {
	for _, m := range macShape.Regexp().FindAllString(text, -1) {
		r.bare[strings.ToUpper(unparted.Replace(m))] = true
	}
	for _, m := range bareShape.Regexp().FindAllStringSubmatch(text, -1) {
		r.bare[strings.ToUpper(m[2])] = true
	}
}

// bareMACs replaces those that are known by their digits alone.
func (r *Redactor) bareMACs(s string) string {
	if len(r.bare) == 0 {
		return s
	}
	return bareWord.Regexp().ReplaceAllStringFunc(s, func(m string) string {
		digits := m[len(m)-12:]
		if !r.bare[strings.ToUpper(digits)] || strings.Trim(digits, "0") == "" {
			return m
		}
		return m[:len(m)-12] + r.mac(digits)
	})
}
