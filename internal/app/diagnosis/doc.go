// Package diagnosis carries out a diagnosis of a path: it reads the hosts,
// pings and watches while time passes, reads them again, and has package
// diagnose judge what that shows. Folders of saved readings take the place of
// hosts where they are given.
package diagnosis
