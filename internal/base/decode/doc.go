// Package decode reads the YAML and JSON files that people hand in: inventories,
// rules, waivers, topologies, plans, results, manifests.
//
// Such a file may come from anybody. What it may cost is bounded before it is
// decoded: its size by Read, then its depth, its values and what its aliases stand
// for by YAML and JSON, relative to its size, so that a small file cannot take much
// memory or time. Keys that the reader does not know, keys that are given twice
// and, in JSON, keys in another case are errors, with file and line.
package decode
