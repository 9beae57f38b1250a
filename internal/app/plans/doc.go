// Package plans reads plan files for a command that carries them out: signed by
// somebody who is allowed to, and for no host that the user did not mean.
package plans
