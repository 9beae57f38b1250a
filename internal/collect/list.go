package collect

import (
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// Listed is a command that collect runs.
type Listed struct {
	Login   string `json:"login"`   // aix, vios (as root), padmin, linux, hmc
	Command string `json:"command"` // {} stands for a device
	Of      string `json:"of"`      // what it is asked about
	Cost    *Cost  `json:"cost,omitempty"`
	Root    bool   `json:"root"` // padmin runs it too, through oem_setup_env: a root shell
}

// scopes says what commands are asked about.
var scopes = map[registry.Scope]string{
	registry.OfHost: "the host", registry.OfDevice: "each adapter and interface", registry.OfDefault: "each adapter and interface",
	registry.OfStatistic: "each adapter with statistics", registry.OfSlot: "each adapter with a location",
	registry.OfVirtual: "the first virtual adapter", registry.OfServer: "each vNIC server",
	registry.IfServers:   "a VIOS with vNIC servers",
	registry.OfAccounted: "each SEA that counts its clients", registry.OfNetdev: "each network device",
	registry.OfPort: "each network device with a driver",
	registry.OfPeer: "some hosts read with it", registry.OfSystem: "each managed system",
	registry.OnPower: "a Linux host on Power",
	registry.Watched: "a host that top shows",
	registry.Instead: "a host without the usual command",
}

// listedLogins are the kinds of login in the order of the list.
var listedLogins = []struct {
	name string
	on   registry.On
}{
	{"aix", registry.OnAIX}, {"vios", registry.OnVIOS}, {"padmin", registry.OnPadmin}, {"linux", registry.OnLinux}, {"hmc", registry.OnHMC},
}

// List gives every command that collect can run, by login, in the order of the
// registry.
func List() []Listed {
	var out []Listed
	for _, l := range listedLogins {
		for of := registry.OfHost; of <= registry.Instead; of++ {
			for _, a := range registry.Asks(l.on, of) {
				out = append(out, Listed{Login: l.name, Command: strings.ReplaceAll(a.Line, "{fixes}", fixes()), Of: scopes[of],
					Root: a.Root && l.on == registry.OnVIOS})
			}
		}
	}
	return out
}

// loginOf is the kind of login that ran a command, as List calls it.
func loginOf(m *Manifest, r *Record) string {
	if m.Platform == string(model.VIOS) && m.User != "root" && r.Via != "oem_setup_env" {
		return "padmin"
	}
	return m.Platform
}

// Cost is how long a command took where it was run, in milliseconds.
type Cost struct {
	Runs     int   `json:"runs"`
	MedianMS int64 `json:"median_ms"`
	MostMS   int64 `json:"most_ms"`
}

// ListCosts is List with what each command cost in the snapshots below a folder.
func ListCosts(dir string) ([]Listed, error) {
	snaps, err := Open(dir)
	if err != nil {
		return nil, err
	}
	took := map[string][]int64{}
	for _, s := range snaps {
		for _, r := range s.Manifest.Commands {
			line := r.Line
			if r.Element != "" {
				line = strings.ReplaceAll(line, r.Element, "{}")
			}
			if r.Exit >= 0 && r.From == "" { // it was run here, to its end
				key := loginOf(&s.Manifest, &r) + " " + line
				took[key] = append(took[key], r.DurationMS)
			}
		}
	}
	list := List()
	for i := range list {
		all := took[list[i].Login+" "+list[i].Command]
		if len(all) > 0 {
			slices.Sort(all)
			list[i].Cost = &Cost{Runs: len(all), MedianMS: all[len(all)/2], MostMS: all[len(all)-1]}
		}
	}
	return list, nil
}
