package entstat

// AddLACP adds the 802.3ad block of a port of an aggregation. What is empty is
// left out; the counters of LACP's packets are not part of it.
func (s *Statistics) AddLACP(l LACP) {
	b := builder{s: s}
	b.major("IEEE 802.3ad Port Statistics")
	for _, end := range []struct {
		name string
		LACPState
	}{{"Actor", l.Actor}, {"Partner", l.Partner}} {
		b.section, b.level = b.majors, 1
		b.text(end.name+" System Priority", end.SystemPriority)
		b.text(end.name+" System", end.System)
		b.text(end.name+" Operational Key", end.Key)
		b.text(end.name+" Port Priority", end.PortPriority)
		b.text(end.name+" Port", end.Port)
		b.minor(1, end.name+" State")
		b.text("LACP activity", end.Activity)
		b.text("LACP timeout", end.Timeout)
		b.text("Aggregation", end.Aggregation)
		b.text("Synchronization", end.Synchronization)
		b.text("Collecting", end.Collecting)
		b.text("Distributing", end.Distributing)
		b.text("Defaulted", end.Defaulted)
		b.text("Expired", end.Expired)
	}
}
