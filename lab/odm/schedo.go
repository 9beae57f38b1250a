package odm

// scheduler are the options of schedo(1) that the field sets for the network
// path: virtual processors that fold and unfold cost latency. A lab has no
// virtual processors to fold: values are kept and printed.
func scheduler() []*Attribute {
	option := func(name, label, v string, min, max int64, unit string) *Attribute {
		return &Attribute{Name: name, Label: label, Default: v, Running: v, NextBoot: v, Min: &min, Max: &max,
			Unit: unit, Type: "int", Settable: true, Command: "schedo"}
	}
	return []*Attribute{
		option("timeslice", "ticks a thread may run", "1", 0, 1<<31-1, "clock ticks"),
		option("vpm_fold_policy", "which partitions fold processors", "1", 0, 15, "bits"),
		option("vpm_throughput_core_threshold", "cores unfolded before throughput mode packs", "1", 0, 1<<31-1, "cores"),
		option("vpm_throughput_mode", "how tightly cores are packed", "0", 0, 8, "level"),
		option("vpm_xvcpus", "virtual processors kept unfolded beyond the need", "0", -1, 1<<31-1, "processors"),
	}
}
