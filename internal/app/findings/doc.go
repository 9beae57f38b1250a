// Package findings judges hosts by the rules: an audit with a site's own rules,
// waivers, measured facts, an earlier reading to compare with and one path to
// look at, and the plan of what its findings ask for.
package findings
