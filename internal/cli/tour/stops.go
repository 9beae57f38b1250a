package tour

// Lab is the name of the tour's lab.
const Lab = "tour"

// stop is one command of the tour.
type stop struct {
	say     string   // what comes and why, as a person would say it
	command []string // of seaworthy; PLAN stands for the plan's file, HOSTS for the folder of snapshots
	ends    []int    // statuses that are as expected; 0 always is
}

// stops are the tour, in order.
var stops = []stop{
	{"First a network to break: two managed systems, each with a pair of VIOSes and their Shared Ethernet Adapters, and a switch.\n" +
		"All of it is namespaces of this machine's kernel; nothing outside is touched.",
		[]string{"lab", "up", "dual-vios", "--name", Lab, "--quiet"}, nil},
	{"Somebody says: lpar1 to lpar3 is slow, it must be the network. Ask.",
		[]string{"diagnose", "lpar1", "lpar3", "-i", "lab:" + Lab}, []int{2}},
	{"The path that was just judged, element by element. Several teams own it, and no one of them sees it whole.",
		[]string{"show", "path", "lpar1", "lpar3", "-i", "lab:" + Lab}, nil},
	{"Every rule on every host. Each finding has the line that proves it, and where the knowledge comes from.",
		[]string{"audit", "-i", "lab:" + Lab}, []int{2}},
	{"What must change, in which order, with the exact commands and their undo. Nothing is changed yet.",
		[]string{"plan", "-i", "lab:" + Lab, "-o", "PLAN"}, []int{2}},
	{"Apply it. Each host takes the change back by itself unless it is confirmed in two minutes: a session that is lost locks nobody out.\n" +
		"Here the verification over new connections confirms.",
		[]string{"apply", "PLAN", "-i", "lab:" + Lab, "--yes", "--confirm-within", "2m", "--auto-confirm"}, nil},
	{"Now a fault that no setting shows: a port of a VIOS that loses one frame in fifty.",
		[]string{"lab", "break", "vios1a:ent0", "loss", "2", "--lab", Lab}, nil},
	{"Ask again. The counters grow while it looks, and pings of its own are told apart.",
		[]string{"diagnose", "lpar1", "lpar3", "-i", "lab:" + Lab}, []int{2, 3}},
	{"Save what the hosts say. Every command that reads hosts reads this folder too, on a machine without access as well.",
		[]string{"collect", "-i", "lab:" + Lab, "-o", "HOSTS", "--quiet"}, nil},
}

// farewell is what to type next.
const farewell = `That was the whole loop: see, find, plan, change, look again.

For hosts of your own, named as in ~/.ssh/config (reading changes nothing):

  seaworthy diagnose lpar1 lpar2 vios1 vios2      # why is it slow?
  seaworthy collect lpar1 lpar2 vios1 vios2 -o today
  seaworthy audit today                           # what is wrong, with evidence
  seaworthy plan today -o plan.json               # what to change, in which order
  seaworthy rehearse plan.json --from today       # tried in a copy of them first
  seaworthy serve today                           # the same in a browser

Without access to the hosts: seaworthy import FILES -o today, of a snap, a sosreport or what somebody pasted.
Measured before and after, in about 90 s: seaworthy demo.
`
