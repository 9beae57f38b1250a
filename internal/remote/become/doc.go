// Package become runs commands as root on a host that is logged in to as somebody
// else: through sudo, su or dzdo, or on a VIOS through oem_setup_env.
//
// Anyone who holds a Host of this package runs root's commands and need not know how.
// No password is ever given: a host that asks for one is an error that says so.
//
// Through oem_setup_env the exit status travels in the text, since nothing
// documents that its own is the one of the last command.
package become
