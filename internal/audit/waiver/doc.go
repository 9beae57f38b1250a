// Package waiver lets a site accept a finding: knowingly, for a reason, and for a
// limited time.
//
// A file of waivers is YAML:
//
//	waivers:
//	  - rule: R040                # a rule, or several: [R040, R041]
//	    at: vios1:ent0            # host, or host:element; * matches any text
//	    reason: the switch cannot do 802.3x, CHG0031415
//	    until: 2027-03-31         # the last day on which it holds
//	    owner: network team       # optional
//
// A waived finding no longer counts, but is still listed as waived. Waivers that
// have expired or match nothing are reported, so that the file stays true.
package waiver
