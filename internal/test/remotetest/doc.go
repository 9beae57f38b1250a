// Package remotetest is a fleet of SSH servers inside a test: real connections
// over loopback, commands answered by the test.
//
//	fleet := remotetest.Start(t, map[string]remotetest.Handler{
//		"lpar1": remotetest.Table{"uname -s": {Stdout: "AIX\n"}}.Serve,
//		"vios1": remotetest.Hang,
//	})
//	h := fleet.Host("lpar1")                       // a remote.Host
//	hosts, err := hosts.Open(ctx, []string{"lpar1"}, hosts.Options{SSHConfig: fleet.Config})
//	fleet.Server("lpar1").RefuseLogins(true)       // and other faults
//
// Everything ends with the test.
package remotetest
