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
	head := []string{"cores of", ""}
	for _, h := range hosts {
		head = append(head, " "+h)
	}
	if other {
		head = append(head, " other")
	}
	cores, t := shownAs(bench.Cores), Table{Head: append(head, " total")}
	for _, w := range r.Options.Workloads {
		name := w.Name
		for _, v := range variants(r) {
			row := []string{name, v}
			for _, h := range hosts {
				row = append(row, cores.median(figure(r, w.Name, v, bench.Cores, h)))
			}
			if other {
				row = append(row, cores.median(figure(r, w.Name, v, bench.CoresOther, "")))
			}
			t.Add(append(row, cores.median(figure(r, w.Name, v, bench.Cores, "")))...)
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
	var names []string
	for _, role := range []string{"from", "end", "via", "to"} {
		for _, h := range r.Hosts {
			if h.Role == role {
				names = append(names, h.Name)
			}
		}
	}
	return names
}

// hostCores are the cores that each host used at the heaviest load, as the path
// was found.
func hostCores(r *bench.Result) map[string]float64 {
	out := map[string]float64{}
	for _, f := range r.Figures {
		if f.Figure == bench.Cores && f.Host != "" && f.Variant == variants(r)[0] {
			out[f.Host] = max(out[f.Host], f.Median)
		}
	}
	return out
}
