package model

// Persistence says what sets an element of a Linux host up at boot, or, of a
// host, its sysctls: there a value is written that is to outlive a reboot.
type Persistence struct {
	By string `json:"by,omitempty"` // a manager of the table of package netmanager; empty: nothing that is known, see Why
	// Name is the manager's for the element: NetworkManager's UUID of the connection, the
	// name of networkd's .network file, netplan's id of the device, or the path of a file.
	Name  string `json:"name,omitempty"`
	Label string `json:"label,omitempty"` // as an administrator knows it: connection "eth0"
	Units bool   `json:"units,omitempty"` // systemd runs the host: a unit can set what By has no place for, and roll back after a reboot
	Why   string `json:"why,omitempty"`   // By is empty
	// Lacks are attributes that this version of By, or this file of it, cannot hold, and why.
	Lacks map[string]string `json:"lacks,omitempty"`
	// Own are, by attribute, the values that seaworthy has written, or of
	// NetworkManager those of the connection.
	Own map[string]string `json:"own,omitempty"`
	// Later are, by sysctl, files that are read after ours and set it too.
	Later map[string]string `json:"later,omitempty"`
}

// PersistenceOf is that of an element, or of the host's sysctls where it has no
// such element; nil: not read.
func (h *Host) PersistenceOf(element string) *Persistence {
	if el := h.Elements[element]; el != nil {
		return el.Persistence
	}
	return h.Persistence
}
