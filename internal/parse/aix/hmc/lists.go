package hmc

// System is a managed system, as lssyscfg -r sys lists it.
type System struct {
	Name      string `json:"name" from:"name"`
	TypeModel string `json:"type_model,omitempty" from:"type_model"` // 9009-22A
	Serial    string `json:"serial,omitempty" from:"serial_num"`
}

// ID is the system as its hosts name it, 9009-22A*7812345; empty if the list
// does not print both parts.
func (s System) ID() string {
	if s.TypeModel == "" || s.Serial == "" {
		return ""
	}
	return s.TypeModel + "*" + s.Serial
}

// Systems lists the managed systems.
func (l *List) Systems() []System {
	return listed(l, "name", func(r *Record, s *System) bool {
		_, partition := r.Get("lpar_id")
		return !partition && s.Name != "" && (s.TypeModel != "" || s.Serial != "")
	})
}

// Partition is a partition, as lssyscfg -r lpar lists it. Empty: not printed.
type Partition struct {
	Name   string `json:"name" from:"name"`
	ID     *int   `json:"id,omitempty" from:"lpar_id"`
	Env    string `json:"env,omitempty" from:"lpar_env"`  // aixlinux, vioserver, os400
	System string `json:"os,omitempty" from:"os_version"` // "AIX 7.2 7200-05-03-2148", "Linux/Red Hat ..."; Unknown while it does not run
}

// Partitions lists the partitions.
func (l *List) Partitions() []Partition {
	return listed(l, "lpar_env", func(r *Record, p *Partition) bool {
		_, profile := r.Get("lpar_name")
		return !profile && p.Name != ""
	})
}

// Processors are those of a partition, as lshwres -r proc --level lpar lists them. Nil or empty:
// not printed.
type Processors struct {
	LPAR      string   `json:"lpar" from:"lpar_name"`
	LPARID    *int     `json:"lpar_id,omitempty" from:"lpar_id"`
	Dedicated bool     `json:"dedicated,omitempty"`
	Units     *float64 `json:"units,omitempty" from:"curr_proc_units"`     // entitlement of a shared partition, in cores
	Procs     *int     `json:"procs,omitempty" from:"curr_procs"`          // virtual processors; of a dedicated one its cores
	Sharing   string   `json:"sharing,omitempty" from:"curr_sharing_mode"` // cap, uncap; of a dedicated one keep_idle_procs …
	Weight    *int     `json:"weight,omitempty" from:"curr_uncap_weight"`  // of an uncapped one
	Line      int      `json:"-"`
}

// Processors lists what each partition has now.
func (l *List) Processors() []Processors {
	return listed(l, "curr_proc_mode", func(r *Record, p *Processors) bool {
		mode := r.text("curr_proc_mode")
		p.Dedicated, p.Line = mode == "ded", r.Line
		if p.Units != nil && !(*p.Units > 0 && *p.Units < 1e9) { // nor NaN, which JSON lacks
			p.Units = nil
		}
		if p.Sharing != "uncap" {
			p.Weight = nil
		}
		return (mode == "shared" || mode == "ded") && p.LPAR != ""
	})
}
