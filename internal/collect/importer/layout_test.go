package importer_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/importertest"
)

const uname = "Linux web 6.1.0-13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.55-1 (2023-09-29) x86_64 GNU/Linux\n"

// sosreport returns what sos packs, as far as it matters here, in the folder that it names.
func sosreport(folder string) map[string]string {
	files := map[string]string{
		"version.txt":                                 "sosreport: 4.0\n",
		"sos_commands/kernel/uname_-a":                uname,
		"sos_commands/networking/ip_-o_addr":          "2: eth0    inet 192.0.2.14/24 brd 192.0.2.255 scope global eth0\\       valid_lft forever preferred_lft forever\n",
		"sos_commands/networking/ip_-s_-d_link":       link("eth0"),
		"sos_commands/networking/ethtool_-i_eth0":     "driver: igb\nversion: 6.1.0\n",
		"sos_commands/networking/ip_-4_rule":          "0:\tfrom all lookup local\n",
		"sos_commands/networking/ip_-6_rule":          "0:\tfrom all lookup local\n32766:\tfrom all lookup main\n",
		"sos_commands/networking/something_--unknown": "words of a program that nobody knows\n",
		"sos_commands/host/hostname":                  "web\n",
		"proc/net/sockstat":                           "sockets: used 290\n",
		"var/log/messages":                            strings.Repeat("Nov  5 10:00:00 web kernel: nothing to see here, only a long line of a log\n", 90_000),
		"etc/shadow.yaml":                             "lsdev: Available\n",
	}
	for i := range 500 {
		files[fmt.Sprintf("sys/kernel/debug/thing%d", i)] = "1234567890AB\n"
	}
	return below(folder, files)
}

// below puts files into a folder.
func below(folder string, files map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range files {
		all[folder+"/"+name] = text
	}
	return all
}

// supportconfig is the same of supportconfig.
func supportconfig(folder string) map[string]string {
	section := func(kind, of, text string) string {
		return "#==[ " + kind + " ]======================================#\n# " + of + "\n" + text + "\n"
	}
	head := strings.Repeat("=", 77) + "\n                     Support Utilities - Supportconfig\n" + strings.Repeat("=", 77) + "\n\n"
	return below(folder, map[string]string{
		"basic-environment.txt": head + section("Command", "/bin/date", "Wed Nov 12 10:01:12 CET 2025\n") + section("Command", "/bin/uname -a", uname),
		"network.txt": head + section("Command", "/sbin/ip addr", address("eth0", "192.0.2.14")) + section("Command", "/sbin/ip -stats link", link("eth0")) +
			section("Command", "/usr/sbin/ethtool -i eth0", "driver: igb\nversion: 6.1.0\n") + section("Configuration File", "/etc/hosts", "127.0.0.1 localhost\n"),
		"rpm.txt": head + section("Command", "/bin/rpm -qa", "a-1.0\n"),
	})
}

// What support tools pack is one host, read by its layout: unpacked or not, under its own name or another.
func TestSupportTools(t *testing.T) {
	unpacked := put(t, sosreport("dbnode"))
	sosName, supportName := "sosreport-web-2025-11-12-abcdefg", "scc_web_251112_1001"
	packed := t.TempDir()
	for name, files := range map[string]map[string]string{sosName + ".tar.xz": sosreport(sosName), supportName + ".txz": supportconfig(supportName)} {
		if err := os.WriteFile(filepath.Join(packed, name), importertest.XZ(importertest.Pax(files)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		path  string
		aside int
	}{
		"packed sosreport":       {filepath.Join(packed, sosName+".tar.xz"), 502},
		"sosreport, renamed":     {filepath.Join(unpacked, "dbnode"), 502},
		"folder above it":        {unpacked, 502},
		"packed supportconfig":   {filepath.Join(packed, supportName+".txz"), 1},
		"unpacked supportconfig": {put(t, supportconfig(supportName)), 1},
	}
	for _, name := range draw.OneIn(t, 3, slices.Sorted(maps.Keys(cases))) {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			r, fleet := imported(t, importer.Options{}, c.path)
			if len(r.Hosts) != 1 || r.Hosts[0].Host != "web" || r.Hosts[0].Platform != "linux" {
				t.Fatalf("hosts %+v, want web of Linux alone", r.Hosts)
			}
			if len(r.Aside) != 1 || r.Aside[0].Files != c.aside {
				t.Errorf("left aside: %+v, want %d files of one folder", r.Aside, c.aside)
			}
			if len(r.Unrecognised) > 0 {
				t.Errorf("unrecognised: %q", r.Unrecognised)
			}
			port := fleet.Host("web").Elements["eth0"]
			if port == nil || port.Driver != "igb" || len(port.Addrs) != 1 || port.Addrs[0].String() != "192.0.2.14/24" || port.Counters.IsZero() {
				t.Errorf("eth0 is %+v, want its driver, address and counters", port)
			}
		})
	}
}

// A file that is named is read, wherever it lies.
func TestSupportToolsFile(t *testing.T) {
	dir := put(t, sosreport("sosreport-web"))
	r, _ := imported(t, importer.Options{}, filepath.Join(dir, "sosreport-web", "sys", "kernel"), filepath.Join(dir, "sosreport-web", "sos_commands", "kernel", "uname_-a"))
	if len(r.Aside) > 0 || len(r.Files) != 501 {
		t.Errorf("%d files, left aside %+v, want all 501 read", len(r.Files), r.Aside)
	}
}

// Of a long log its end is read, and that is said.
func TestSupportToolsLog(t *testing.T) {
	draw.Rarely(t, 4)
	files := sosreport("sosreport-web")
	last := "Nov  6 10:00:00 web kernel: nf_conntrack: nf_conntrack: table full, dropping packet\n"
	log := "sosreport-web/var/log/messages"
	files[log] += last
	maps.DeleteFunc(files, func(name, _ string) bool { return name != log && !strings.HasSuffix(name, "uname_-a") })
	r, fleet := imported(t, importer.Options{}, put(t, files))
	if n := fleet.Host("web").Figures["conntrack_full_messages"].Value; n != 1 {
		t.Errorf("%v messages of a full table, want 1", n)
	}
	for _, f := range r.Files {
		if strings.HasSuffix(f.File, "messages") && (len(f.Warnings) != 1 || f.CutOff) {
			t.Errorf("warnings %q, cut off %v", f.Warnings, f.CutOff)
		}
	}
}
