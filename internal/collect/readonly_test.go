package collect

import (
	"regexp"
	"strings"
	"testing"

	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/remotetest"
)

// readOnly are the forms of command lines that change nothing on a host. A
// command that is not of one of these forms does not belong in the catalogue.
var readOnly = []*regexp.Regexp{
	regexp.MustCompile(`^uname -[asm]$`),
	regexp.MustCompile(`^id -u$`),
	regexp.MustCompile(`^(hostname|arp -an|lssrc -a)$`),
	regexp.MustCompile(`^oslevel -s$`),
	regexp.MustCompile(`^lsdev -Cc (adapter|if)( -F "name ddins")?$`),
	regexp.MustCompile(`^lslpp -Lcq( "?[a-z0-9_.A-Z]+(\*")?)+ 2>/dev/null$`),
	regexp.MustCompile(`^(emgr -l|lsmcode -c)$`),
	regexp.MustCompile(`^cat /etc/(resolv|netsvc|nsswitch)\.conf 2>/dev/null \|\| true$`),
	regexp.MustCompile(`^nfsstat -c 2>/dev/null; nfsstat -m 2>/dev/null; true$`),
	regexp.MustCompile(`^(nfso -a|pmtu display) 2>/dev/null \|\| true$`),
	// one question to each name server
	regexp.MustCompile(`^(! command -v nslookup >/dev/null \|\| )?` + regexp.QuoteMeta(`for s in $(awk '$1 == "nameserver" && $2 ~ /^[0-9A-Fa-f.:]+$/ {print $2}' `+
		`/etc/resolv.conf 2>/dev/null | head -n 3); do echo "nameserver $s"; `) + `(\(time |` + regexp.QuoteMeta(`read -r t _ </proc/uptime; echo "uptime $t"; `) + `)` +
		regexp.QuoteMeta(`nslookup -retry=1 -timeout=2 localhost. "$s" </dev/null`) + `\)? 2>&1 \| grep -iE '[^']+'; ` +
		`(` + regexp.QuoteMeta(`read -r t _ </proc/uptime; echo "uptime $t"; `) + `)?done; true$`),
	regexp.MustCompile(`^lsattr -(El|Dl|Rl) [a-z]+[0-9]+( -a [a-z_]+)*$`),
	regexp.MustCompile(`^lparstat( -i| 1 1)?$`),
	regexp.MustCompile(`^ps -o etime= -p 1$`),
	regexp.MustCompile(`^ifconfig -a$`),
	regexp.MustCompile(`^netstat -(in|rn|s|m)$`),
	regexp.MustCompile(`^no -(a|L|L use_isno)$`),
	regexp.MustCompile(`^errpt \| head -n [0-9]+$`),
	regexp.MustCompile(`^entstat -d ent[0-9]+$`),
	regexp.MustCompile(`^ioscli ioslevel( \|\| /usr/ios/cli/ioscli ioslevel)?$`),
	regexp.MustCompile(`^/usr/ios/cli/ioscli ioslevel$`),
	regexp.MustCompile(`^ioscli lsmap -all -(net|vnic)$`),
	regexp.MustCompile(`^ioscli optimizenet -list$`),
	regexp.MustCompile(`^ioscli seastat -d ent[0-9]+$`),
	regexp.MustCompile(`^vnicstat -b [a-z]+[0-9]+$`),
	regexp.MustCompile(`^ioscli rules -o diff -s -d$`),
	regexp.MustCompile(`^instfix -ik "[A-Z0-9 ]+" 2>&1$`),
	regexp.MustCompile(`^lscfg -vl [a-z]+[0-9]+$`),
	regexp.MustCompile(`^ioscli lsdev( -dev [a-z]+[0-9]+ -attr)?$`),
	regexp.MustCompile(`^ioscli netstat -(state|routtable) -num$`),
	regexp.MustCompile(`^ioscli entstat -all ent[0-9]+$`),
	regexp.MustCompile(`^ip -(j -d|j|d) (link|addr|route)$`),
	regexp.MustCompile(`^ethtool (-[kiSglcax] )?[A-Za-z0-9_][A-Za-z0-9_.-]*$`),
	regexp.MustCompile(`^sysctl -e [a-z0-9_. ]+$`),
	regexp.MustCompile(`^cat /(etc/os-release|proc/[a-z0-9/_]+|sys/fs/cgroup/cpu.stat)( 2>/dev/null \|\| true)?$`),
	regexp.MustCompile(`^grep -(s \.|E '[^']*') [^;|&<>$\x60]+$`),
	regexp.MustCompile(`^grep -sHE (-e '[^']*' )+[^;|&<>$\x60]+$`),
	// a port's node, and the CPUs that take its interrupts
	regexp.MustCompile(`^set --; for i in /sys/class/net/[A-Za-z0-9_.-]+/device/msi_irqs/\*; do ` +
		regexp.QuoteMeta(`set -- "$@" "/proc/irq/${i##*/}/effective_affinity_list"; done; grep -sH . `) +
		`/sys/class/net/[A-Za-z0-9_.-]+/device/numa_node /sys/class/net/[A-Za-z0-9_.-]+/device/local_cpulist "\$@" \|\| true$`),
	regexp.MustCompile(`^` + regexp.QuoteMeta(`set -- /sys/class/net/*/brforward; [ ! -e "$1" ] || bridge fdb show || test $? -eq 127`) + `$`),
	regexp.MustCompile(`^! command -v tc >/dev/null \|\| tc -s qdisc$`),
	regexp.MustCompile(`^command -v ethtool \|\| echo none$`),
	// what NetworkManager's connections say, as far as settings of ports go
	regexp.MustCompile(`^` + regexp.QuoteMeta("! command -v nmcli >/dev/null || (nmcli -v; nmcli -g UUID connection show --active | while read -r u; "+
		"do nmcli -t connection show uuid \"$u\"; done) 2>/dev/null | grep -E '") + `[^']*' \|\| true$`),
	// Open vSwitch's tables, and virtual machines by their UUIDs over libvirt's read-only socket
	regexp.MustCompile(`^! command -v ovs-vsctl >/dev/null \|\| ovs-vsctl --timeout=5 --format=json( -- --columns=[a-z_,]+ list [A-Z][A-Za-z_]+)+$`),
	regexp.MustCompile(`^` + regexp.QuoteMeta("! command -v virsh >/dev/null || virsh -r -q -c qemu:///system \"$(virsh -r -q -c qemu:///system 'list --uuid; echo net; net-list --uuid' | "+
		"sed -nE '/^net/,$s/^(net)?([0-9a-f-]{36})$/net-dumpxml \\2;/p; s/^[0-9a-f-]{36}$/dumpxml &;/p'; echo echo)\"") + `$`),
	regexp.MustCompile(`^` + regexp.QuoteMeta(`log=$(dmesg) && printf '%s\n' "$log" | sed -nE '1p; /`) + `[A-Za-z:?_()| \[\]-]+` + regexp.QuoteMeta(`/p' | tail -n 500`) + `$`),
	regexp.MustCompile(`^rpm -q powerpc-utils 2>/dev/null \|\| dpkg-query -W powerpc-utils 2>/dev/null \|\| true$`),
	regexp.MustCompile(`^ls /sys/class/net$`),
	regexp.MustCompile(`^lshmc -V$`),
	regexp.MustCompile(`^lssyscfg -r (sys|(lpar|prof) -m '?[A-Za-z0-9 .*+-]+'?)$`),
	regexp.MustCompile(`^lshwres -r (virtualio|sriov|io|proc|mem)( --rsubtype [a-z]+)?( --level [a-z]+)? -m '?[A-Za-z0-9 .*+-]+'?$`),
	regexp.MustCompile(`^lslparutil -r lpar -d 1 -n 200 -m '?[A-Za-z0-9 .*+-]+'?$`),
	regexp.MustCompile(`^ping -n -c 3 -i 0.2 -w 2 [a-z0-9.:]+$`),
	// five bytes to a closed UDP port, each timed until it is refused; no answer to the first ends it
	regexp.MustCompile(`^` + regexp.QuoteMeta("perl -MTime::HiRes=time -MSocket -e 'socket(S,PF_INET,SOCK_DGRAM,17); "+
		"connect(S,sockaddr_in(33434,inet_aton(shift)))||exit 1; for(1..5){$t=time;syswrite(S,1)||next;$r=\"\";vec($r,fileno(S),1)=1;"+
		"select($r,undef,undef,.3)||do{$n||last;next}; sysread(S,$b,9);$!{ECONNREFUSED}&&(printf(\"time=%.3f ms$/\",1e3*(time-$t)),$n++)}exit!$n'") +
		` [a-z0-9.:]+ 2>/dev/null \|\| ping -n -c 1 -w 1 [a-z0-9.:]+$`),
}

func isReadOnly(line string) bool {
	for _, re := range readOnly {
		if re.MatchString(line) {
			return true
		}
	}
	return false
}

// sysctl without -w sets a value if it is given NAME=VALUE.
func TestReadOnlyList(t *testing.T) {
	for _, line := range []string{"sysctl -e a=1", "sysctl -w a", "ethtool -K eth0", "entstat -r ent0", "no -o a=1", "ifconfig en0 up",
		"ip -j link set eth0", "chdev -l en0", "ioscli chdev -dev en0 -attr a=b", "cat /etc/shadow", "uname -a; reboot", "grep -s . /x > /y", "ioscli entstat -reset ent0", "ioscli rules -o deploy -d", "instfix -k IV00001", "lshwres -r proc -m x; reboot", "chhwres -r proc -m x", "rmsyscfg -r lpar -m x", "instfix -ik \"IV1\"; reboot"} {
		if isReadOnly(line) {
			t.Errorf("%q passes as read-only", line)
		}
	}
}

// Everything that really goes to a host is of a read-only form, on every
// platform and in every role.
func TestCatalogueIsReadOnly(t *testing.T) {
	noTools := linuxHost()
	for line := range noTools {
		if strings.HasPrefix(line, "ethtool") || strings.HasPrefix(line, "sysctl") || strings.HasPrefix(line, "ip ") {
			delete(noTools, line)
		}
	}
	noTools["command -v ethtool || echo none"] = says("none\n")
	noTools["ls /sys/class/net"] = says("eth0\n")
	for name, host := range map[string]struct {
		user  string
		table table
	}{
		"aix": {"root", aixHost()}, "vios": {"root", viosHost()}, "padmin": {"padmin", padmin(true)},
		"padmin alone": {"padmin", padmin(false)}, "linux": {"user", linuxHost()}, "linux without tools": {"user", noTools},
	} {
		t.Run(name, func(t *testing.T) {
			m, _, f := take(t, host.user, host.table.Serve, Options{})
			for _, r := range m.Commands {
				if !isReadOnly(r.Line) {
					t.Errorf("%q is not on the read-only list", r.Line)
				}
			}
			sent := f.Server("host").Lines()
			for _, l := range sent {
				bare := remotetest.Bare(l)
				if inner, ok := strings.CutPrefix(bare, "echo '"); ok {
					inner, ok = strings.CutSuffix(inner, "' | oem_setup_env")
					if !ok {
						t.Errorf("%q ends in an unknown way", l)
					}
					inner, _ = remotetest.Unmarked(inner)
					bare = remotetest.Bare(inner)
				}
				bare = strings.TrimSuffix(strings.ReplaceAll(bare, `'\''`, "'"), "; echo seaworthy-status $?")
				if !isReadOnly(bare) {
					t.Errorf("sent %q, whose command %q is not on the read-only list", l, bare)
				}
				if !strings.Contains(l, "LC_ALL=C LANG=C") {
					t.Errorf("sent %q without the C locale", l)
				}
			}
			if len(sent) < 5 {
				t.Errorf("only %d lines were sent: the test looked at nothing", len(sent))
			}
		})
	}
}

// everyItem is whatever any host may be asked.
func everyItem() []Item {
	var all []Item
	for on := registry.OnAIX; on <= registry.OnHMC; on <<= 1 {
		for of := registry.OfHost; of <= registry.Instead; of++ {
			all = append(all, items(on, of, "ent0")...)
		}
	}
	return all
}

func TestEveryItemHasALimit(t *testing.T) {
	for _, it := range everyItem() {
		if it.Limit <= 0 || it.ID == "" || !isReadOnly(it.Line) {
			t.Errorf("%+v: want an ID, a limit and a read-only line", it)
		}
	}
}
