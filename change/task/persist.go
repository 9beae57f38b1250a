package task

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"seaworthy/inventory"
	"seaworthy/remote/shellword"
)

// Persist is where a value of a Linux host is kept for its next boot.
type Persist struct {
	By inventory.Keeper `json:"by"`
	// Name is that of inventory.Persistence; for netplan with the kind of the
	// device before it: ethernets/eth0.
	Name   string `json:"name,omitempty"`
	Before string `json:"before,omitempty"` // what is kept there now; empty: nothing
	// OnConfirm: nothing on the host would take it back after a restart, so a run that
	// waits for a confirmation writes it only then.
	OnConfirm bool `json:"on_confirm,omitempty"`
}

// Keeps says whether a keeper has a place for an attribute of a device.
func Keeps(by inventory.Keeper, attr string) bool {
	if by == inventory.NetworkManager {
		_, ok := inventory.Properties[attr]
		return ok
	}
	_, ok := places[by]
	return ok && (attr == "mtu" || wide[by]) && slices.Contains(inventory.Persistent, attr)
}

// wide are the keepers that run commands of ours, whatever these set.
var wide = map[inventory.Keeper]bool{inventory.Ifupdown: true, inventory.Unit: true}

// place is a file that holds one setting alone, written whole. {d} stands for the
// device, {a} for the attribute, {v} for the value, {s} for the command that sets
// it, {n} for the name, {k} and {i} for netplan's kind of device and its id, {u}
// for the device as systemd names it, {f} for the file.
type place struct {
	path, mode string
	lines      []string
	after      string // once it is written
	before     string // it is removed
	gone       string // once it was
}

// mark is the line by which a file of ours is read again.
const mark = "# seaworthy {d} {a} {v}"

// places are where each keeper looks for settings. A .link file of ours would
// stand in for 99-default.link, which names the device: a unit does no such thing.
var places = map[inventory.Keeper]place{
	inventory.Networkd: {path: "/etc/systemd/network/{n}.d/60-seaworthy-{a}.conf", mode: "644",
		lines: []string{mark, "[Link]", "MTUBytes={v}"}, gone: "rmdir /etc/systemd/network/{n}.d 2>/dev/null || :"},
	inventory.Netplan: {path: "/etc/netplan/90-seaworthy-{d}.yaml", mode: "600",
		lines: []string{mark, "network:", "  version: 2", "  {k}:", `    "{i}":`, "      mtu: {v}"}},
	// Its name must not have a dot: run-parts would leave it out.
	inventory.Ifupdown: {path: "/etc/network/if-up.d/seaworthy-{h}-{a}", mode: "755",
		lines: []string{"#!/bin/sh", mark, "env | grep -qxF IFACE={d} || exit 0", "{s}", "exit 0"}},
	inventory.Unit: {path: "/etc/systemd/system/seaworthy-{d}-{a}.service", mode: "644",
		lines: []string{mark, "[Unit]", "Description={a} {v} of {d}", "BindsTo={u}", "After={u} network.target",
			"Before=multi-user.target", "[Service]",
			"Type=oneshot", "RemainAfterExit=yes", `ExecStart=/bin/sh -c "{s}"`, "[Install]", "WantedBy={u}"},
		after:  "systemctl --quiet enable seaworthy-{d}-{a}.service",
		before: "systemctl --quiet disable seaworthy-{d}-{a}.service", gone: "systemctl daemon-reload"},
	// The last assignment of an ifcfg file is in force.
	inventory.Ifcfg:   {path: "{n}", lines: []string{mark, "MTU={v}"}},
	inventory.SysctlD: {path: "/etc/sysctl.d/60-seaworthy.conf", lines: []string{"{a} = {v}"}},
}

// What a value may be that is written into files: nothing that one of them would
// take for its own syntax. Only lists of sysctls have blanks.
var (
	plain    = regexp.MustCompile(`^[A-Za-z0-9+._:-]+$`)
	numbers  = regexp.MustCompile(`^[A-Za-z0-9+._:-]+( [0-9]+)*$`)
	names    = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	netplan  = regexp.MustCompile(`^(ethernets|bonds|vlans|bridges)/[A-Za-z0-9._-]+$`)
	ifcfg    = regexp.MustCompile(`^/etc/sysconfig/(network-scripts|network)/ifcfg-[A-Za-z0-9._-]+$`)
	nameless = regexp.MustCompile(`^.*$`)
)

// named are the forms of a keeper's names.
var named = map[inventory.Keeper]*regexp.Regexp{
	inventory.NetworkManager: names, inventory.Networkd: names, inventory.Netplan: netplan, inventory.Ifcfg: ifcfg,
	inventory.Ifupdown: nameless, inventory.Unit: nameless, inventory.SysctlD: nameless,
}

// Valid says why a value cannot be kept so; nil: it can.
func (p Persist) Valid(kind inventory.Kind, attr, value string) error {
	form := plain
	if kind == Sysctl {
		form = numbers
	}
	switch {
	case named[p.By] == nil || (kind == Sysctl) != (p.By == inventory.SysctlD) || kind != Sysctl && !Keeps(p.By, attr):
		return fmt.Errorf("%q has no place for %s", p.By, attr)
	case !named[p.By].MatchString(p.Name):
		return fmt.Errorf("%q is no name that %s gives", p.Name, p.By)
	case value != "" && !form.MatchString(value):
		return fmt.Errorf("%q is no value that %s takes in a file", value, p.By)
	}
	return nil
}

// after and before are what the change's keeper has then; empty: nothing of ours.
func (c Change) after() string {
	if c.After.NextBoot == nil {
		return ""
	}
	return *c.After.NextBoot
}

func (c Change) before() string {
	if c.Persist == nil {
		return ""
	}
	return c.Persist.Before
}

// keep writes the lines after which the next boot has a value; an empty one is
// taken out again.
func (w writer) keep(c Change, value string) ([]string, error) {
	p := c.Persist
	if p == nil {
		return nil, nil
	}
	if w.Platform != inventory.Linux {
		return nil, fmt.Errorf("%s is kept by %s, which is Linux's alone", c.Attr, p.By)
	}
	if err := p.Valid(w.kind, c.Attr, value); err != nil {
		return nil, err
	}
	if p.By == inventory.NetworkManager {
		return []string{w.modify(p.Name, c.Attr, value)}, nil
	}
	fill, err := w.filler(c, value)
	if err != nil {
		return nil, err
	}
	at := places[p.By]
	file := fill(at.path)
	var lines []string
	for _, l := range at.lines {
		lines = append(lines, shellword.Quote(fill(l)))
	}
	text := "printf '%s\\n' " + strings.Join(lines, " ")
	switch {
	case p.By == inventory.Ifcfg:
		// Whose last line has no end would lose it: such a file is left alone.
		new := file[:strings.LastIndexByte(file, '/')] + "/.seaworthy.new"
		rest := "sed '/^# seaworthy " + pattern(w.element) + " mtu /{N;d;}' " + file
		if value != "" {
			rest = "{ " + rest + "; " + text + "; }"
		}
		return []string{fmt.Sprintf(`[ -z "$(tail -c 1 %s)" ] && cp -p %[1]s %s && %s >%[2]s && mv -f %[2]s %[1]s`, file, new, rest)}, nil
	case p.By == inventory.SysctlD:
		rest := "sed '/^" + pattern(c.Attr) + " = /d' " + file
		if value == "" {
			line := replaced(file, rest, `if [ -s {t} ]; then chmod 644 {t} && mv -f {t} {f}; else rm -f {t} {f}; fi`)
			return []string{"if [ -e " + file + " ]; then " + line + "; fi"}, nil
		}
		return []string{replaced(file, "{ [ ! -e "+file+" ] || "+rest+"; "+text+"; } | sort", "chmod 644 {t} && mv -f {t} {f}")}, nil
	case value != "":
		line := replaced(file, text, "chmod "+at.mode+" {t} && mv -f {t} {f}")
		if p.By == inventory.Networkd { // which reads as a user of its own
			dir := file[:strings.LastIndexByte(file, '/')]
			line = "{ [ -d " + dir + " ] || mkdir -m 755 " + dir + "; } && " + line
		}
		return slices.DeleteFunc([]string{line, fill(at.after)}, empty), nil
	}
	steps := slices.DeleteFunc([]string{fill(at.before), "rm -f " + file, fill(at.gone)}, empty)
	return []string{fmt.Sprintf("if [ -f %s ]; then %s; fi", file, strings.Join(steps, "; "))}, nil
}

func empty(s string) bool { return s == "" }

// replaced writes what a command prints beside a file, and then makes that the
// file: a host that stops on the way has the old one or the new one.
func replaced(file, text, then string) string {
	return text + " >" + file + ".new && " + strings.NewReplacer("{t}", file+".new", "{f}", file).Replace(then)
}

// pattern is a name in a regular expression of sed.
func pattern(name string) string { return strings.ReplaceAll(name, ".", `\.`) }

// filler puts names and values into a place.
func (w writer) filler(c Change, value string) (func(string) string, error) {
	set := ""
	if w.kind != Sysctl && value != "" {
		lines, err := w.setLinux([]assignment{{attr: c.Attr, value: value}})
		if err != nil {
			return nil, err
		}
		set = strings.Join(lines, " && ")
	}
	kind, id, _ := strings.Cut(c.Persist.Name, "/")
	return strings.NewReplacer("{d}", w.element, "{h}", strings.ReplaceAll(w.element, ".", "_"), "{a}", c.Attr, "{v}", value, "{s}", set,
		"{n}", c.Persist.Name, "{k}", kind, "{i}", id,
		"{u}", "sys-subsystem-net-devices-"+strings.ReplaceAll(w.element, "-", `\x2d`)+".device").Replace, nil
}

// modify sets a property of a connection. An empty one is the default.
func (w writer) modify(uuid, attr, value string) string {
	of, option, inside := strings.Cut(inventory.Properties[attr].Name, " ")
	line := "nmcli connection modify uuid " + uuid + " "
	switch {
	case inside && value == "":
		return line + "-" + of + " " + option
	case inside:
		return line + "+" + of + " " + option + "=" + value
	case value == "" && attr == "mtu":
		value = "0" // nmcli's auto
	}
	return line + of + " " + shellword.Quote(value)
}

// kept checks what is kept.
func (w writer) kept(c Change, want string) []Check {
	p := c.Persist
	if p == nil {
		return nil
	}
	k := Check{Element: w.element, Attr: c.Attr + " at next boot", Want: want}
	file := strings.NewReplacer("{d}", w.element, "{h}", strings.ReplaceAll(w.element, ".", "_"), "{a}", c.Attr, "{n}", p.Name).
		Replace(places[p.By].path)
	switch p.By {
	case inventory.NetworkManager:
		of, option, inside := strings.Cut(inventory.Properties[c.Attr].Name, " ")
		k.Command = "nmcli -t connection show uuid " + p.Name + " | sed -n 's/^" + pattern(of) + ":"
		if inside {
			k.Command += "//p' | tr , '\\n' | sed -n 's/^" + option + "=//p'"
		} else {
			k.Command += `\(auto$\)*//p'`
		}
	case inventory.SysctlD:
		k.Command = "[ ! -e " + file + " ] || sed -n 's/^" + pattern(c.Attr) + " = //p' " + file
	default:
		k.Command = "[ ! -e " + file + " ] || sed -n 's/^# seaworthy " + pattern(w.element) + " " + c.Attr + " //p' " + file
	}
	return []Check{k}
}
