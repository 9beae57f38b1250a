package hmc

import "strconv"

// Processors are those of a partition, as lshwres -r proc --level lpar lists them. Nil or empty:
// not printed.
type Processors struct {
	LPAR      string   `json:"lpar"`
	LPARID    *int     `json:"lpar_id,omitempty"`
	Dedicated bool     `json:"dedicated,omitempty"`
	Units     *float64 `json:"units,omitempty"`   // entitlement of a shared partition, in cores
	Procs     *int     `json:"procs,omitempty"`   // virtual processors; of a dedicated one its cores
	Sharing   string   `json:"sharing,omitempty"` // cap, uncap; of a dedicated one keep_idle_procs, share_idle_procs …
	Weight    *int     `json:"weight,omitempty"`  // of an uncapped one
	Line      int      `json:"-"`
}

// Processors lists what each partition has now.
func (l *List) Processors() []Processors {
	var list []Processors
	for i := range l.Records {
		r := &l.Records[i]
		mode := r.text("curr_proc_mode")
		if mode != "shared" && mode != "ded" {
			continue
		}
		p := Processors{LPAR: r.text("lpar_name"), Sharing: r.text("curr_sharing_mode"), LPARID: r.number("lpar_id"),
			Dedicated: mode == "ded", Procs: r.number("curr_procs"), Weight: r.number("curr_uncap_weight"), Line: r.Line}
		if f, err := strconv.ParseFloat(r.text("curr_proc_units"), 64); err == nil && f > 0 {
			p.Units = &f
		}
		if p.Sharing != "uncap" {
			p.Weight = nil
		}
		if p.LPAR != "" {
			list = append(list, p)
		}
	}
	return list
}
