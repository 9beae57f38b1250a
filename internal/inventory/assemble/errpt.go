package assemble

import (
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// linkDown is how drivers log that a link is gone: ETHERNET DOWN, Physical link down, LINK ERROR.
var linkDown = parse.Lazy(`(?i)\b(?:link|ethernet|carrier)\b.*\b(?:down|lost|error)\b|\b(?:lost|no) (?:link|carrier)\b`)

// hostEthernet is how lsdev calls the ports of a Host Ethernet Adapter.
var hostEthernet = parse.Lazy(`(?i)\blp-hea\b|host ethernet`)

// errpt counts the entries about a port's lost link, about frames that a Host Ethernet
// Adapter took and its driver did not, about hosts that have an address of this one, and
// about a lack of mbufs. A port without an entry has none.
func (b systemFeed) errpt(o Output, r *linewise.ErrorReport) {
	b.errorLog(r)
	down, refused := map[string]uint64{}, map[string]uint64{}
	var duplicate, low []int
	var other string // the host with the duplicate address
	for _, e := range r.Entries {
		switch {
		case e.Label == "AIXIF_ARP_DUP_ADDR" || strings.Contains(e.Description, "DUPLICATE IP ADDRESS"):
			duplicate = append(duplicate, e.Line)
			if other == "" {
				other = duplicateOwner(e.Details)
			}
		case e.Label == "PEND_LOW_MBUFS":
			low = append(low, e.Line)
		case e.Label == "HEA_INFO" || strings.Contains(e.Description, "PROBLEM RECEIVING PACKET"):
			refused[e.Resource]++
		case linkDown.MatchString(e.Description):
			down[e.Resource]++
		}
	}
	b.count(o, model.DuplicateIP, duplicate)
	if other != "" {
		b.figure(model.DuplicateIP, float64(len(duplicate)), o.says(other))
	}
	b.count(o, model.LowMbufs, low)
	for name, e := range b.host.Elements {
		if e.Kind == model.Physical {
			e.Counters = e.Counters.With(map[string]uint64{"errpt link down": down[name]})
		}
		if hostEthernet.MatchString(e.Driver) {
			e.Counters = e.Counters.With(map[string]uint64{"errpt frames refused": refused[name]})
		}
	}
}

// errorLog keeps the entries, those alike together, in the order of the log.
func (b systemFeed) errorLog(r *linewise.ErrorReport) {
	if b.host.ErrorLog == nil {
		b.host.ErrorLog = []model.LoggedError{}
	}
	at := map[model.LoggedError]int{}
	for i, x := range b.host.ErrorLog {
		x.Count = 0
		at[x] = i
	}
	for _, e := range r.Entries {
		entry := model.LoggedError{Label: e.Label, ID: e.ID, Resource: e.Resource, Description: e.Description}
		i, known := at[entry]
		if !known {
			i = len(b.host.ErrorLog)
			at[entry] = i
			b.host.ErrorLog = append(b.host.ErrorLog, entry)
		}
		b.host.ErrorLog[i].Count++
	}
}

// duplicateOwner reads the details of an entry about a duplicate address, which are hexadecimal:
// "DUPLICATE IP ADDRESS", "C000 020B", "MAC ADDRESS", "0200 0000 7777". Empty: they hold no such pair.
func duplicateOwner(details []string) string {
	address, isAddress := netip.AddrFromSlice(hexBelow(details, "DUPLICATE IP ADDRESS"))
	mac := hexBelow(details, "MAC ADDRESS")
	if !isAddress || len(mac) != 6 {
		return ""
	}
	return fmt.Sprintf("MAC address %s answers for %s", net.HardwareAddr(mac), address)
}

// hexBelow reads the hexadecimal line below a title; nil if there is none.
func hexBelow(lines []string, title string) []byte {
	i := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == title })
	if i < 0 || i+1 >= len(lines) {
		return nil
	}
	data, err := hex.DecodeString(strings.Join(strings.Fields(lines[i+1]), ""))
	if err != nil {
		return nil
	}
	return data
}

// mbufs adds up the requests for mbufs that were refused, of all CPUs.
func (b systemFeed) mbufs(o Output, s *linewise.MbufStatistics) {
	failed, read := uint64(0), false
	for _, t := range s.Tables {
		column := slices.Index(t.Columns, "failed")
		if t.Key != "By size" || column < 0 {
			continue
		}
		for _, row := range t.Rows {
			if column < len(row.Values) {
				failed += row.Values[column]
				read = true
			}
		}
	}
	if read {
		b.figure(model.MbufsFailed, float64(failed), o.says(fmt.Sprintf("failed, of all sizes and CPUs: %d", failed)))
	}
}
