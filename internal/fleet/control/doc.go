// Package control is how an operator and a hub talk: requests, answers, and the client
// that asks. Only the user "operator" may ask; it asks for sweeps, zones and schedules,
// never for a change of a host.
package control
