// Package knowledge is the one place where knowledge lives: attributes, rules
// and sources, as YAML embedded in the program, with a loader that checks
// them. The audit, the planner, the lab's ODM and the documentation are
// driven by it.
//
//	attributes/<layer>.yaml   tunables of one layer
//	rules/*.yaml              rules, each with its own test cases
//	fleets/*.yaml             inventories that the cases start from
//	expressions.yaml          properties defined in CEL, facts that --fact gives, words of old expressions
//	portcounters.yaml         what ports count, by fact, with the names that drivers give it
//	defects.yaml              known defects: levels, conditions, signs, cures
//	costs.yaml                what traffic costs: priors of predictions
//	sources.yaml              documents that facts were taken from
//	schema/*.json             JSON Schemas of the above, for editors and sites
//
// Layers are the kinds of package inventory (interface, virtual-adapter, vnic,
// physical-adapter, sea, etherchannel, vlan), and no, vios, hypervisor and linux.
// Facts keep the confidence of their source: what is low is to be read from
// the host (lsattr -D, lsattr -R, no -L) before it is relied on.
package knowledge
