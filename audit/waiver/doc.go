// Package waiver lets a site live with a finding: knowingly, for a reason, and
// not for ever.
//
// A file of waivers is YAML:
//
//	waivers:
//	  - rule: R040                # a rule, or several: [R040, R041]
//	    at: vios1:ent0            # host, or host:element; * stands for any text
//	    reason: the switch cannot do 802.3x, CHG0031415
//	    until: 2027-03-31         # the last day on which it holds
//	    owner: network team       # optional
//
// What is waived is no finding any more, but is still listed as waived. A
// waiver that has expired no longer works, and one that matches nothing does
// not either; both are told, so that the file stays true.
package waiver
