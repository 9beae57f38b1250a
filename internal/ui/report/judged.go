package report

import (
	"seaworthy/internal/audit/finding"
)

// NothingJudged reports whether no check had what it needs: such an audit says nothing about the hosts. One of chosen
// rules, or that compares with an earlier snapshot, says something of its own.
func (a *Audited) NothingJudged() bool {
	if a.Narrowed || len(a.Gone)+len(a.Lost)+len(a.Compared) > 0 {
		return false
	}
	lacking := 0
	for _, f := range a.Findings {
		if f.Verdict != finding.NotAssessed {
			return false
		}
		lacking++
	}
	return lacking > 0 && a.Passed == 0 && len(a.Groups) == 0 && len(a.Waived) == 0
}

// wanted are the commands whose outputs let most checks run, by platform, to be pasted as they are. Each writes its
// command line before its output, so that import knows them apart.
var wanted = map[string][]string{
	"linux": {
		`echo "# uname -a"; uname -a; echo "# ip -s -d addr"; ip -s -d addr`,
		`for d in $(ls /sys/class/net); do for o in -i -k -g -S; do echo "# ethtool $o $d"; ethtool $o $d; done; done`,
		`echo "# netstat -s"; netstat -s; echo "# sysctl -a"; sysctl -a`,
	},
	"aix": {
		`echo "# uname -a"; uname -a; echo "# netstat -in"; netstat -in`,
		`for a in $(lsdev -Cc adapter -F name | grep "^ent"); do echo "# lsattr -El $a"; lsattr -El $a; ` +
			`echo "# entstat -d $a"; entstat -d $a; done`,
		`echo "# no -a"; no -a; echo "# netstat -s"; netstat -s`,
	},
}

// addWanted says that nothing could be judged, and what to save so that it can be.
func addWanted(d *Document, a *Audited) {
	d.Line("Nothing could be judged: none of %s had the outputs that it needs.", Plural(len(a.Findings), "check"))
	said := map[string]bool{}
	for _, p := range a.Platforms {
		if p == "vios" {
			p = "aix" // as root, after oem_setup_env
		}
		if said[p] || wanted[p] == nil {
			continue
		}
		said[p] = true
		d.Line("These commands help most on %s. Paste them into a shell as root, save what they print, and import it with the rest:", p)
		d.Commands("", wanted[p]...)
	}
	d.Gap()
}
