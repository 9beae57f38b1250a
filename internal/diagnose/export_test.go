package diagnose

var (
	StillQueued = stillQueued
	ReadVmstat  = readVmstat
)
