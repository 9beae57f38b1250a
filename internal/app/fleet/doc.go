// Package fleet finds, connects and reads the hosts that a command names: over
// SSH, from folders that collect or import wrote, or both together. Access says
// how hosts are reached, a Connection is a set of hosts that can run commands,
// and a Reading is what they said as one typed model, with the reading before
// it where there is one and with the hosts that could not be read.
package fleet
