package chaos

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/await"
	"seaworthy/lab/guest"
)

var (
	sysvRounds  = flag.Int("sysv", 1, "rounds on a Linux host without systemd, out of namespaces")
	guestRounds = flag.Int("guest", 0, "rounds on a guest with systemd")
	guestKind   = flag.String("kind", "networkd", "of the guest")
)

// Linux hosts with the image of a guest, whose folder SEAWORTHY_GUESTS names: one without
// systemd, which reboots within a second, and one in QEMU, whose kernel reboots.
func TestTortureLinux(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	images := os.Getenv("SEAWORTHY_GUESTS")
	if images == "" || os.Geteuid() != 0 {
		t.Skip("needs root and the image of a guest: SEAWORTHY_GUESTS names its folder, make guests makes it")
	}
	bin := build(t)
	sum := newSummary(t)
	defer sum.log()
	image := func(t *testing.T, kind string) guest.Kind {
		k, ok := guest.ByName(kind)
		if !ok || !guest.Built(k, images) {
			t.Skipf("%s has no image of %s", images, kind)
		}
		return k
	}
	t.Run("sysv", func(t *testing.T) {
		if *sysvRounds == 0 {
			t.Skip("-sysv 0")
		}
		k := image(t, "ifupdown")
		s := newSite(t, bin)
		h := startSysv(t, s.dir, filepath.Join(images, k.Name))
		s.linux(h, h.ssh, 1)
		s.rounds(sum, *sysvRounds, []job{
			{name: "MTU and offloads", sets: []string{"sysv:eth1:mtu=4000", "sysv:eth1:tso=off", "sysv:eth1:gso=off"}},
			{name: "the port of the login", sets: []string{"sysv:eth0:mtu=1400", "sysv:eth0:txqueuelen=2000"}},
			{name: "sysctls", sets: []string{"sysv:sysctl:net.ipv4.tcp_mtu_probing=1", "sysv:sysctl:net.ipv4.tcp_rmem=4096 131072 33554432"}},
		})
	})
	t.Run("guest", func(t *testing.T) {
		if *guestRounds == 0 {
			t.Skip("-guest 0")
		}
		k := image(t, *guestKind)
		s := newSite(t, bin)
		g, err := guest.Start(t.Context(), k, guest.Options{Dir: images, State: s.dir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(g.Stop)
		at := ssh{t: t, name: k.Name, config: g.SSHConfig()}
		s.linux(machine{at, g}, at, 3)
		s.rounds(sum, *guestRounds, []job{
			{name: "MTU, ring and offload", sets: []string{k.Name + ":" + k.Interface + ":mtu=4000", k.Name + ":" + k.Interface + ":rings=512",
				k.Name + ":" + k.Interface + ":gro=off"}},
			{name: "sysctls", sets: []string{k.Name + ":sysctl:net.ipv4.tcp_mtu_probing=1", k.Name + ":sysctl:net.core.rmem_max=33554432"}},
		})
	})
}

// linux makes a Linux host the site's; one round in so many ends with a reboot.
func (s *site) linux(p place, at ssh, reboot int) {
	s.place, s.reboot, s.faults = p, reboot, linuxFaults(p)
	if err := os.WriteFile(at.inventory(), fmt.Appendf(nil, "ssh_config: %s\nhosts:\n  %s: {}\n", at.config, at.name), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.open([]string{at.name}, targets.Options{Inventory: at.inventory()})
}

func (s *site) rounds(sum *summary, n int, jobs []job) {
	for i := range n {
		if s.t.Context().Err() != nil || *one != 0 && *one != i+1 {
			continue
		}
		began := time.Now()
		dice := rand.New(rand.NewPCG(*seed, uint64(i+1)))
		r := s.round(i+1, dice, s.prepare(&jobs[dice.IntN(len(jobs))]))
		r.Seconds = time.Since(began).Round(10 * time.Millisecond).Seconds()
		sum.add(s.t, r)
	}
}

// linuxFaults are those of the lab's that a Linux host can have, and its cut link.
func linuxFaults(p place) []fault {
	var out []fault
	for _, f := range faults {
		if !strings.HasPrefix(f.name, "disk full") && !strings.HasPrefix(f.name, "clock jump") &&
			!strings.HasSuffix(f.name, "nested run") {
			out = append(out, f)
		}
	}
	// Reboots are what Linux's own persistence is about: twice as many.
	for _, f := range faults {
		if strings.Contains(f.name, "rebooted") {
			out = append(out, f)
		}
	}
	cable, ok := p.(*sysv)
	if !ok {
		return out
	}
	away := func(r *rand.Rand) {
		cable.cut(true)
		await.Pause(time.Duration(r.IntN(9000)) * time.Millisecond)
		cable.cut(false)
	}
	return append(out,
		fault{"link cut", func(_ *site, r *rand.Rand, _ *exec.Cmd, _ string) { away(r) }},
		fault{"link cut and seaworthy killed", func(_ *site, r *rand.Rand, apply *exec.Cmd, _ string) {
			_ = apply.Process.Kill()
			away(r)
		}})
}

// ssh is a Linux host that the stock ssh reaches.
type ssh struct {
	t            *testing.T
	name, config string
}

func (h ssh) inventory() string { return filepath.Join(filepath.Dir(h.config), "hosts.yaml") }

func (h ssh) reach() []string  { return []string{"-i", h.inventory()} }
func (h ssh) changers() string { return "ip|ethtool|sysctl|sed|systemctl" }
func (h ssh) tidy() string     { return "rm -rf /var/tmp/seaworthy /etc/seaworthy" }
func (h ssh) slow() int        { return 1 }

func (h ssh) command(line string) *exec.Cmd {
	return exec.CommandContext(h.t.Context(), "timeout", "60",
		"ssh", "-F", h.config, "-o", "ConnectTimeout=10", "-o", "LogLevel=ERROR", h.name, line)
}

func (h ssh) on(_, line string) string {
	out, _ := h.command(line).CombinedOutput() // of a host that may be rebooting
	return string(out)
}

// await returns once the host answers.
func (h ssh) await() {
	h.t.Helper()
	var out []byte
	up := await.Within(2*time.Minute, func() bool {
		var err error
		out, err = h.command("echo up").CombinedOutput()
		return err == nil
	})
	if !up {
		h.t.Fatalf("%s does not come up: %s", h.name, out)
	}
}

// machine is a guest: its reboots are those of a kernel, every other one as by a cut of
// its power.
type machine struct {
	ssh
	guest *guest.Guest
}

func (m machine) slow() int { return 3 }

func (m machine) reboot(node string) {
	m.t.Helper()
	const id = "cat /proc/sys/kernel/random/boot_id"
	before := m.on(node, id)
	m.on(node, "(sleep 1; [ $(($(date +%s) % 2)) = 0 ] && echo b >/proc/sysrq-trigger; systemctl reboot --force) >/dev/null 2>&1 &")
	for {
		if err := m.guest.Await(m.t.Context()); err != nil {
			console, _ := os.ReadFile(m.guest.Console())
			m.t.Fatalf("%v\n%s", err, console)
		}
		if now, err := m.command(id).Output(); err == nil && string(now) != before {
			break
		}
	}
	m.on(node, "systemctl is-system-running --wait") // what rolls back, too
}

func (sum *summary) log() {
	sum.t.Logf("%d of %d rounds ended with every host exactly at its new or its earlier values, %d after a last reboot; %d needed a "+
		"rollback by hand", sum.good, sum.total, sum.rebooted, sum.person)
}
