// Package confirm plants in a copy of a network the faults that readings of the network prove, and
// looks whether the copy then shows the causes that seaworthy diagnose named.
package confirm
