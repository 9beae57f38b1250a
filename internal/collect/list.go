package collect

import (
	"strings"

	"seaworthy/internal/parse/registry"
)

// Listed is a command that collect runs.
type Listed struct {
	Login   string `json:"login"`   // aix, vios (as root), padmin, linux, hmc
	Command string `json:"command"` // {} stands for a device
	Of      string `json:"of"`      // what it is asked about
	Root    bool   `json:"root"`    // padmin runs it too, through oem_setup_env: a root shell
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

// List gives every command that collect can run, by login, in the order of the
// registry.
func List() []Listed {
	var out []Listed
	for i, login := range []string{"aix", "vios", "padmin", "linux", "hmc"} {
		on := []registry.On{registry.OnAIX, registry.OnVIOS, registry.OnPadmin, registry.OnLinux, registry.OnHMC}[i]
		for of := registry.OfHost; of <= registry.Instead; of++ {
			for _, a := range registry.Asks(on, of) {
				out = append(out, Listed{Login: login, Command: strings.ReplaceAll(a.Line, "{fixes}", fixes()), Of: scopes[of],
					Root: a.Root && on == registry.OnVIOS})
			}
		}
	}
	return out
}
