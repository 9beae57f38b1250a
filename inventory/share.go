package inventory

import (
	"fmt"
	"strings"
)

// shares gives hosts what an HMC says of their processors, where they did not say it: a VIOS
// without oem_setup_env, a Linux partition. A host's own answer stays.
func (f *Fleet) shares(c *HMC) {
	of := f.lpars()
	for i := range c.Shares {
		s := &c.Shares[i]
		if s.Partition.Number == nil || s.System == "" {
			continue
		}
		if h := of[lpar{s.System, *s.Partition.Number}]; h != nil {
			h.share(c.Name, s)
		}
	}
}

func (h *Host) share(hmc string, s *ProcessorShare) {
	own, said := &h.Partition, s.Partition
	if own.Mode != "" && said.Mode != "" && !strings.EqualFold(own.Mode, said.Mode) {
		h.gap(Gap{What: "partition " + said.Name, Why: fmt.Sprintf("its mode is %s, but %s says %s (%s): the host's own answer was taken",
			own.Mode, hmc, said.Mode, s.From.Command)})
		return
	}
	if own.Type == "" && own.Mode == "" && own.Entitled == nil { // all or nothing: they belong together
		own.Type, own.Mode, own.Entitled, own.VirtualCPUs, own.Weight = said.Type, said.Mode, said.Entitled, said.VirtualCPUs, said.Weight
	}
	most := own.MostCores()
	if _, known := h.Figures[CoresLimit]; known || most == nil {
		return
	}
	if h.Figures == nil {
		h.Figures = map[string]Figure{}
	}
	h.Figures[CoresLimit] = Figure{Value: *most, From: s.From}
}
