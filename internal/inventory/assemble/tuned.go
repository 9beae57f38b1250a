package assemble

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// profile is tuned's where it runs, its parts separated by blanks; empty: it does not.
func (c *bootConfig) profile() string {
	if len(c.files["/run/tuned/tuned.pid"]) == 0 {
		return ""
	}
	return strings.Join(c.files["/etc/tuned/active_profile"], " ")
}

// profileFolders are those of tuned's profiles: the first that has one wins.
var profileFolders = []string{"/etc/tuned/profiles/", "/etc/tuned/", "/usr/lib/tuned/profiles/", "/usr/lib/tuned/"}

// tuned are the files of the active profile, what they include first. last: it sets its
// sysctls after all of sysctl.d (reapply_sysctl=0, TUNED-MAIN), not before that of /etc and /run.
func (c *bootConfig) tuned() (files []string, last bool) {
	met := map[string]bool{} // profiles may include one another
	var add func(profile string)
	add = func(profile string) {
		i := slices.IndexFunc(profileFolders, func(dir string) bool { return c.files[dir+profile+"/tuned.conf"] != nil })
		if i < 0 || met[profile] {
			return
		}
		met[profile] = true
		file := profileFolders[i] + profile + "/tuned.conf"
		for _, l := range c.files[file] {
			if key, value, ok := strings.Cut(l, "="); ok && strings.TrimSpace(key) == "include" {
				for _, p := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
					add(p)
				}
			}
		}
		files = append(files, file)
	}
	for _, p := range strings.Fields(c.profile()) {
		add(p)
	}
	for _, l := range c.files["/etc/tuned/tuned-main.conf"] {
		if key, value, ok := strings.Cut(l, "="); ok && strings.TrimSpace(key) == "reapply_sysctl" {
			value = strings.ToLower(strings.TrimSpace(value))
			last = value == "0" || value == "false"
		}
	}
	return files, last
}

// inOrder are the files that set sysctls, the last one in force.
func (c *bootConfig) inOrder(tuned []string, last bool) []string {
	if last {
		return slices.Concat(c.sysctlFiles(), tuned)
	}
	var shipped, own []string
	for _, f := range c.sysctlFiles() {
		if strings.HasPrefix(f, "/etc/") || strings.HasPrefix(f, "/run/") {
			own = append(own, f)
		} else {
			shipped = append(shipped, f)
		}
	}
	if len(tuned) == 0 {
		return c.sysctlFiles()
	}
	return slices.Concat(shipped, tuned, own)
}

// sysctlFiles are the files of sysctls in the order in which they are read.
func (c *bootConfig) sysctlFiles() []string {
	chosen := map[string]string{}
	for _, dir := range slices.Backward(folders) {
		for file := range c.files {
			if path.Dir(file) == dir {
				chosen[path.Base(file)] = file
			}
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		out = append(out, chosen[name])
	}
	if c.init != "systemd" && c.files["/etc/sysctl.conf"] != nil { // sysctl --system reads it last, systemd only by a link from sysctl.d
		out = append(out, "/etc/sysctl.conf")
	}
	return out
}
