package traffic

import "seaworthy/lab/node"

// Local gives the commands by their bare names.
func Local() map[string]node.Command {
	return map[string]node.Command{
		"ftp":       ftp,
		"ftpd":      ftpd,
		"netperf":   netperf,
		"netserver": netserver,
		"ping":      ping,
		"tcpdump":   tcpdump,
	}
}
