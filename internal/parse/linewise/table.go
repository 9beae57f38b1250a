package linewise

// Table are all outputs that this package reads.
var Table = []Output{
	// AIX and VIOS
	arpOutput, errptOutput, filesetsOutput, interimFixesOutput, etimeOutput, instfixOutput, ioslevelOutput, lssrcOutput,
	mbufsOutput, microcodeOutput, driversOutput, routeOutput, oslevelOutput, rulesOutput,
	slotsOutput, unameOutput, hostnameOutput,
	// Linux
	arpCacheOutput, bondOutput, envOutput, fdbOutput, filesOutput, kernelLogOutput, linuxUnameOutput, netDevOutput, nmcliOutput, procARPOutput,
	procNetOutput, softnetOutput, sysctlOutput,
	// both, and load tools
	resolverOutput, lookupOutput, nfsstatOutput,
	pingOutput, qperfOutput, sockperfOutput,
}
