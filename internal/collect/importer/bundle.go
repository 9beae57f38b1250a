package importer

import (
	"cmp"
	"path"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// sosFolder is a folder that every sosreport has below its own.
	sosFolder = parse.Lazy(`^(.*?)/?\bsos_(?:commands|logs|reports)/`)
	// sosName takes the host out of the folder's name: sosreport-HOST, sosreport-HOST-CASE-2026-01-31-abcdefg.
	sosName = parse.Lazy(`^sosreport-(.+?)(?:-\d{4,})?(?:-20\d\d-?\d\d-?\d\d-\w+|-20\d{12}|\.[a-z0-9]{3,6})?$`)
	// supportName does for a supportconfig: scc_HOST_260131_1502, nts_HOST_260131_1502.
	supportName = parse.Lazy(`^(?:scc|nts)_(.+?)_\d{6}_\d{4}$`)
	// sosOutput is a file that is named after the command that it is of.
	sosOutput = parse.Lazy(`(?:^|/)sos_commands/(?:[^/]+/)+([^/]+)$`)
	// kernelFile is a copy of what the kernel shows as a file.
	kernelFile = parse.Lazy(`(?:^|/)(proc/(?:net|sys)/.+|proc/(?:interrupts|stat|softirqs|cpuinfo|meminfo)|sys/class/net/.+)$`)
	// deviceFile is one where it really lies: /sys/class/net holds links.
	deviceFile = parse.Lazy(`(?:^|/)sys/devices/(?:[^/]+/)+net/([^/]+/.+)$`)
)

// toolFolders are the folders that hold what a support tool gathered, with its name: each is one host's.
func toolFolders(files []*file) map[string]string {
	roots := map[string]string{}
	for _, f := range files {
		if m := sosFolder.FindStringSubmatch(f.path); m != nil {
			roots[cmp.Or(m[1], ".")] = "sosreport"
		} else if folder := path.Dir(f.path); supportName.MatchString(path.Base(folder)) {
			roots[folder] = "supportconfig"
		}
	}
	return roots
}

// bundleHost is the host in the name of a folder that a tool made.
func bundleHost(folder string) string {
	for _, form := range []*parse.Pattern{sosName, supportName} {
		if m := form.FindStringSubmatch(folder); m != nil {
			return m[1]
		}
	}
	return folder
}

// commandOf is the command line of a file that a tool named after it, as sosreport does, or that is a copy of
// one of the kernel's; empty if the name says nothing of the kind.
func commandOf(name string) string {
	if m := kernelFile.FindStringSubmatch(name); m != nil {
		return "cat /" + m[1]
	}
	if m := deviceFile.FindStringSubmatch(name); m != nil {
		return "cat /sys/class/net/" + m[1]
	}
	if m := sosOutput.FindStringSubmatch(name); m != nil {
		return strings.ReplaceAll(m[1], "_", " ")
	}
	return ""
}

// isPlain reports whether a folder's name is a word for what is in it and no host's name.
func isPlain(folder string) bool { return describes(path.Base(folder)) }
