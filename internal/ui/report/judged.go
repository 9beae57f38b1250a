package report

import (
	"slices"

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
		`for f in snmp netstat softnet_stat sockstat; do echo "# cat /proc/net/$f"; cat /proc/net/$f; done; echo "# sysctl -a"; sysctl -a`,
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
	a.addCommands(d)
}

// mostlyLacking reports whether most checks lacked the outputs that they need, though some could judge.
func (a *Audited) mostlyLacking() bool {
	if a.Narrowed || a.NothingJudged() {
		return false
	}
	n := map[finding.Verdict]int{finding.Pass: a.Passed}
	for _, f := range a.Findings {
		n[f.Verdict]++
	}
	return n[finding.NotAssessed] > n[finding.Pass]+n[finding.Found]
}

// addCommands adds, for each platform, the commands to paste that let most checks run. A VIOS takes those of AIX, as root.
func (a *Audited) addCommands(d *Document) {
	has := func(p string) bool { return slices.Contains(a.Platforms, p) }
	if has("linux") {
		addPasted(d, "linux", "", "linux")
	}
	switch {
	case has("aix") && has("vios"):
		addPasted(d, "aix and vios", " (on a VIOS after oem_setup_env)", "aix")
	case has("vios"):
		addPasted(d, "vios", " (after oem_setup_env)", "aix")
	case has("aix"):
		addPasted(d, "aix", "", "aix")
	}
	d.Gap()
}

func addPasted(d *Document, on, how, commands string) {
	d.Line("These commands help most on %s. Paste them into a shell as root%s, save what they print, and import it with the rest:", on, how)
	d.Commands("", wanted[commands]...)
}
