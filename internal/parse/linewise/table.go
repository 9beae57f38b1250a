package linewise

// Table are all outputs that this package reads.
var Table = []Output{
	// AIX and VIOS
	arpOutput, errptOutput, filesetsOutput, interimFixesOutput, etimeOutput, instfixOutput, ioslevelOutput, lssrcOutput,
	mbufsOutput, microcodeOutput, driversOutput, pathMTUsOutput, routeOutput, oslevelOutput, rulesOutput,
	seaStateOutput,
	slotsOutput, unameOutput, hostnameOutput,
	// Linux
	arpCacheOutput, neighboursOutput, pciOutput,
	bondOutput, conntrackOutput, datapathOutput, envOutput, fdbOutput, filterOutput, moduleOutput, xfrmOutput, filesOutput, interruptsOutput, kernelLogOutput, linuxUnameOutput,
	netDevOutput, nmcliOutput, nodeOutput, procARPOutput, sarOutput, socketsOutput,
	procNetOutput, softnetOutput, sysctlOutput,
	packageOutput, processorsOutput,
	// both, and load tools
	processesOutput, activityOutput, lookupTimeOutput, tcpSocketsOutput, tcpStatesOutput, disksOutput,
	resolverOutput, lookupOutput, nameServersOutput, nfsstatOutput,
	captureOutput, nmonOutput, pingOutput, qperfOutput, sockperfOutput, traceOutput,
}
