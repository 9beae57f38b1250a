// Package desired holds what a site wants its hosts to be: values of attributes by kind, platform, level, role, VLAN and
// speed, each with a reason, and exceptions with a last day. A file that people keep with their code says it (site.yaml);
// Judge holds it against hosts, Propose writes a first one from what most hosts have.
//
// What the file does not name is left alone, and so is an element that carries nothing. A value that was not read is
// unknown, never as wanted, and so is an element of which it is not known whether it is meant.
package desired
