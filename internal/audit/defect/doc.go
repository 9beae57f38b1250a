// Package defect says whether the software of a host has a known defect: by its levels,
// its filesets, and the fixes that are installed.
//
// It judges levels only. Whether a setting makes a defect bite is a condition over
// elements, which package rule evaluates like that of any rule.
package defect
