package hmc

// Partition is a partition, as lssyscfg -r lpar lists it. Empty: not printed.
type Partition struct {
	Name   string `json:"name"`
	ID     *int   `json:"id,omitempty"`
	Env    string `json:"env,omitempty"` // aixlinux, vioserver, os400
	System string `json:"os,omitempty"`  // what runs in it: "AIX 7.2 7200-05-03-2148", "Linux/Red Hat ..."; Unknown while it does not run
}

// Partitions lists the partitions.
func (l *List) Partitions() []Partition {
	var list []Partition
	for i := range l.Records {
		r := &l.Records[i]
		env, ok := r.Get("lpar_env")
		if _, profile := r.Get("lpar_name"); profile || !ok {
			continue
		}
		p := Partition{Name: r.text("name"), ID: r.number("lpar_id"), Env: env, System: r.text("os_version")}
		if p.Name != "" {
			list = append(list, p)
		}
	}
	return list
}
