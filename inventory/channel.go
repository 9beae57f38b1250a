package inventory

import "slices"

// Backup is the adapter that an EtherChannel keeps for the loss of its members;
// empty if it has none, or was not asked.
func (e *Element) Backup() string {
	if b := e.Attrs["backup_adapter"].Current(); b != "NONE" {
		return b
	}
	return ""
}

// throughChannel follows an EtherChannel: to all its members where it spreads its
// frames over ports; down the one that carries them where it has only one, or a
// backup for it (Network Interface Backup, often over two virtual adapters).
func (f *Fleet) throughChannel(w *way, r Ref, el *Element) {
	names, note := el.Members, member
	backup := el.Backup()
	switch {
	case backup == "":
	case el.Channel == "backup":
		names, note = []string{backup}, "backup adapter, which carries the traffic now"
	case el.Channel == "":
		w.gap(r, "whether its backup adapter "+backup+" carries the traffic now was not read (entstat -d "+r.Element+")")
	default:
		note = "member of the primary channel"
	}
	if len(names) == 0 {
		w.gaps = append(w.gaps, unread(f.Host(r.Host), r, "what its members are"))
	}
	if len(names) == 1 {
		m := f.Element(Ref{r.Host, names[0]})
		if m != nil && slices.Contains([]Kind{Virtual, VNIC}, m.Kind) {
			f.descend(w, Ref{r.Host, names[0]}, note)
			return
		}
	}
	for _, m := range names {
		w.add(f, Ref{r.Host, m}, note)
	}
}
