package report

import "seaworthy/bench"

// HostCPU prints the cores of every host of the path, where each is known, and
// what of the path's none of them accounts as its own. A single host's is the
// path's, so it prints nothing then.
func HostCPU(p *Printer, r *bench.Result) {
	hosts := pathOrder(r)
	other := false
	known := map[string]bool{}
	for _, f := range r.Figures {
		other = other || f.Figure == bench.CoresOther
		if f.Figure == bench.Cores && f.Host != "" {
			known[f.Host] = true
		}
	}
	if len(known) < 2 {
		return
	}
	variants := r.Options.Variants
	if len(variants) == 0 {
		variants = []string{""}
	}
	head := []string{"cores of", ""}
	for _, h := range hosts {
		head = append(head, " "+h)
	}
	if other {
		head = append(head, " other")
	}
	t := Table{Head: append(head, " total")}
	for _, w := range r.Options.Workloads {
		name := w.Name
		for _, v := range variants {
			row := []string{name, v}
			for _, h := range hosts {
				row = append(row, median(hostFigure(r, w.Name, v, h), 1, 2))
			}
			if other {
				row = append(row, median(figure(r, w.Name, v, bench.CoresOther), 1, 2))
			}
			t.Add(append(row, median(figure(r, w.Name, v, bench.Cores), 1, 2))...)
			name = ""
		}
	}
	p.Line("")
	t.Print(p)
	if other {
		p.Prose("other", "CPU of switches, hypervisors and other programs on the same kernel, and what the kernel accounts to no host; "+
			"included in total. All are medians, so a row need not add up exactly.")
	}
}

// pathOrder are the hosts from one end to the other.
func pathOrder(r *bench.Result) []string {
	var from, via, to []string
	for _, h := range r.Hosts {
		switch h.Role {
		case "from":
			from = append(from, h.Name)
		case "to":
			to = append(to, h.Name)
		default:
			via = append(via, h.Name)
		}
	}
	return append(append(from, via...), to...)
}

func hostFigure(r *bench.Result, workload, variant, host string) *bench.Figure {
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Workload == workload && f.Variant == variant && f.Figure == bench.Cores && f.Host == host {
			return f
		}
	}
	return nil
}
