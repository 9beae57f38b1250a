package metrics

import (
	"seaworthy/internal/app/findings"
)

// OfAudit is an audit, with the hosts that it read.
func OfAudit(r *findings.Result) Source {
	return Source{Version: r.Version, At: r.Time, Hosts: len(r.Hosts), NotRead: len(r.Failed), Findings: r.All, Waived: len(r.Waived),
		Fleet: r.Reading.Fleet}
}
