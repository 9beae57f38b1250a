package collect

import (
	"context"
	"fmt"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote/shellword"
)

const maxSystems = 64

// systemName is the form of a managed system's or a VIOS's name that is put into a
// command line. A leading dash would be an option.
var systemName = parse.Lazy(`^[A-Za-z0-9_][A-Za-z0-9_ .*+-]{0,63}$`)

// hmc reads the lists of an HMC, as hmcviewer may: one list a managed system, so
// that none grows without end.
func (r *runner) hmc(ctx context.Context) {
	base := items(registry.OnHMC, registry.OfHost, "")
	var systems []string
	for i, o := range r.run(ctx, base) {
		if base[i].ID != "hmc-lssyscfg-sys" {
			continue
		}
		l, err := hmc.Parse(o.text)
		if err != nil {
			continue // its gap says why
		}
		for _, s := range l.Systems() {
			switch {
			case !systemName.MatchString(s.Name):
				r.addGap(fmt.Sprintf("managed system %q", s.Name), "not the form of a name: not asked about")
			case r.opts.System == "" || r.opts.System == s.Name:
				systems = append(systems, s.Name)
			}
		}
	}
	if len(systems) == 0 && r.opts.System != "" {
		r.addGap("managed system "+r.opts.System, "the HMC does not list it (lssyscfg -r sys)")
	}
	var lists []Item
	for _, s := range r.first("managed systems", systems, maxSystems) {
		for _, it := range items(registry.OnHMC, registry.OfSystem, shellword.Quote(s)) {
			it.Element, it.Attribute = "", s
			lists = append(lists, it)
		}
	}
	r.run(ctx, lists)
}

// Partition is one of a managed system, under the names that the HMC has for both.
type Partition struct {
	Name, System string
	VIOS         bool
}

// Partitions are the running AIX, VIOS and Linux partitions in what an HMC said.
func Partitions(s *Snapshot) ([]Partition, error) {
	var list []Partition
	for i := range s.Manifest.Commands {
		r := &s.Manifest.Commands[i]
		text, err := s.Text(r)
		if err != nil {
			return nil, err
		}
		if r.ID != "hmc-lssyscfg-lpar" || len(text) == 0 {
			continue
		}
		l, err := hmc.Read(r.Line, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.Manifest.Host, r.Line, err)
		}
		for _, x := range l.Records {
			name, _ := x.Get("name")
			env, _ := x.Get("lpar_env")
			state, _ := x.Get("state")
			if name != "" && env != "os400" && state == "Running" {
				list = append(list, Partition{Name: name, System: r.Attribute, VIOS: env == "vioserver"})
			}
		}
	}
	return list, nil
}
