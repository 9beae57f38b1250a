package linewise

// Table are all outputs that this package reads.
var Table = []Output{
	// AIX and VIOS
	arpOutput, errptOutput, filesetsOutput, interimFixesOutput, etimeOutput, instfixOutput, ioslevelOutput, lssrcOutput,
	mbufsOutput, microcodeOutput, driversOutput, pathMTUsOutput, routeOutput, oslevelOutput, rulesOutput,
	adapterCountersOutput, seaStateOutput,
	slotsOutput, unameOutput, hostnameOutput,
	// Linux
	arpCacheOutput, neighboursOutput, pciOutput,
	datapathOutput, filterOutput, moduleOutput, xfrmOutput,
	bondOutput, conntrackOutput, envOutput, fdbOutput, filesOutput, interruptsOutput, kernelLogOutput, kernelReleaseOutput, linuxUnameOutput,
	netDevOutput, nmcliOutput, nodeOutput, procARPOutput, sarOutput, socketsOutput,
	procNetOutput, softnetOutput, sysctlOutput,
	packageOutput, processorsOutput,
	// both, and load tools
	processesOutput, activityOutput, lookupTimeOutput, tcpSocketsOutput, tcpStatesOutput, disksOutput,
	resolverOutput, lookupOutput, nameServersOutput, nfsstatOutput,
	captureOutput, nmonOutput, pingOutput, qperfOutput, sockperfOutput, traceOutput,
}
