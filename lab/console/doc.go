// Package console is the HMC of a lab: what answers a login to it.
//
// An HMC carries no traffic, so it is not a node: it has no namespaces, no file system and no
// processes. A session runs in the lab's own process and reads the topology as it is now;
// viosvrcmd alone runs a command on a node.
// Its shell is the restricted one of an HMC as far as lists need it: commands one after
// another, in quotes or not, nothing else. Lists have the attributes that a topology knows,
// under the names that an HMC has for them; the others are missing, never invented.
package console
