// Package rehearsal tries a plan in a lab before anybody applies it to production, and measures what
// each of its steps costs the traffic. Run carries the plan out as apply does, takes it back, loses
// the session in the middle of it, lets each step fail once, and reboots the hosts that wait for a
// reboot. A watch (package watch) sends packets between the hosts' addresses all the while.
//
// A step is as planned if nobody felt it but those that its outage class names, and if traffic was
// back when the step ended. An end is as planned if every value of the plan is the old one, or every
// value the new one. What the lab could not try is in Result.LeftOut, with its reason.
package rehearsal
