package sshhost

import "net"

// SetResolver has names looked up by r.
func (l *Logins) SetResolver(r *net.Resolver) { l.resolver = r }
