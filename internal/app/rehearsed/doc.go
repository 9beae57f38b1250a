// Package rehearsed has the result of a rehearsal, as rehearse writes it and others read it: apply, the reports, serve.
package rehearsed
