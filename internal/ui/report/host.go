package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
)

// processorsOf says what a partition may use; empty if that was not read.
func processorsOf(p model.Partition) string {
	var out []string
	for _, word := range []string{p.Type, p.Mode} {
		if word != "" {
			out = append(out, word)
		}
	}
	if p.Entitled != nil {
		out = append(out, fmt.Sprintf("entitled to %g cores", *p.Entitled))
	}
	if p.VirtualCPUs != nil {
		out = append(out, Plural(*p.VirtualCPUs, "virtual processor"))
	}
	if p.Weight != nil {
		out = append(out, fmt.Sprintf("weight %d", *p.Weight))
	}
	return strings.Join(out, ", ")
}

// addressesOf has a row for each element of a host with an address, a MAC address, a VLAN or errors counted.
func addressesOf(h *model.Host) *doc.Table {
	t := doc.NewWrapped(h.Name+" addresses",
		doc.Left("element"), doc.Left("address"), doc.Left("MAC"), doc.Left("VLAN"), doc.Left("errors counted"))
	for _, name := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		el := h.Elements[name]
		var addresses []string
		for _, a := range el.Addrs {
			addresses = append(addresses, a.String())
		}
		address, vlan, errors := strings.Join(addresses, ", "), vlansOf(el), errorsOf(el)
		if address+el.MAC+vlan != "" || errors != "" && errors != noErrors {
			t.Add(name, Dash(address), Dash(el.MAC), Dash(vlan), Dash(errors))
		}
	}
	return t
}

// vlansOf are the VLANs of a virtual adapter: that of its port, then those it may tag.
func vlansOf(el *model.Element) string {
	text := ""
	if el.PVID != nil {
		text = strconv.Itoa(*el.PVID)
	}
	var tagged []string
	for _, v := range el.VLANs {
		tagged = append(tagged, strconv.Itoa(v))
	}
	if len(tagged) > 0 {
		text = strings.TrimSpace(text + " tagged " + strings.Join(tagged, ", "))
	}
	if text != "" && el.VSwitch != "" {
		text += " on " + el.VSwitch
	}
	return text
}

// countsErrors says whether a counter of an element is one that rules weigh as a fault:
// of a direction (rx.Packets Dropped), or of either (No Resource Errors). Volumes are not.
func countsErrors(name string) bool {
	counter, known := knowledge.CounterOf(name)
	if !known {
		counter, known = knowledge.CounterOf(strings.TrimPrefix(strings.TrimPrefix(name, "tx."), "rx."))
	}
	volume := counter.Base || strings.HasSuffix(counter.Name, ".Bytes")
	return known && !volume && len(counter.Weighed) > 0
}

// noErrors stands where counters were read and none counts an error.
const noErrors = "none"

// errorsOf are the counters of an element that rules weigh and that are not zero.
// Without any such counter read it is empty.
func errorsOf(el *model.Element) string {
	read := false
	var out []string
	for name, value := range el.Counters.All() {
		if !countsErrors(name) {
			continue
		}
		read = true
		if value > 0 {
			out = append(out, fmt.Sprintf("%s %d", strings.Replace(name, ".", " ", 1), value))
		}
	}
	if read && len(out) == 0 {
		return noErrors
	}
	return strings.Join(out, ", ")
}
