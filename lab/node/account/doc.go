// Package account counts the traffic of every client of an SEA, as seastat
// shows it: by source address where the trunk adapters hand frames to the SEA,
// and by destination address where the real adapter does. The packet filter of
// the VIOS's namespace counts; a large frame counts once, as it does at the SEA.
package account
