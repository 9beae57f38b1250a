// Package sysctl reads and prints Linux sysctl output: "name = value" lines.
package sysctl
