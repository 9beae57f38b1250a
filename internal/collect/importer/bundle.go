package importer

import (
	"path"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// sosFolder is a folder that every sosreport has below its own.
	sosFolder = parse.Lazy(`^(.*?)/?\bsos_(?:commands|logs|reports)/`)
	// sosName takes the host out of the folder's name: sosreport-HOST, sosreport-HOST-CASE-2026-01-31-abcdefg.
	sosName = parse.Lazy(`^sosreport-(.+?)(?:-\d{4,})?(?:-20\d\d-?\d\d-?\d\d-\w+|-20\d{12}|\.[a-z0-9]{3,6})?$`)
	// sosOutput is a file that is named after the command that it is of.
	sosOutput = parse.Lazy(`(?:^|/)sos_commands/(?:[^/]+/)+([^/]+)$`)
	// kernelFile is a copy of what the kernel shows as a file.
	kernelFile = parse.Lazy(`(?:^|/)(proc/(?:net|sys)/.+|proc/(?:interrupts|stat|softirqs|cpuinfo|meminfo)|sys/class/net/.+)$`)
)

// sosreports are the folders that hold an unpacked sosreport: each is one host's.
func sosreports(files []*file) map[string]bool {
	roots := map[string]bool{}
	for _, f := range files {
		m := sosFolder.FindStringSubmatch(f.path)
		if m == nil {
			continue
		}
		if m[1] == "" {
			m[1] = "."
		}
		roots[m[1]] = true
	}
	return roots
}

// bundleHost is the host in the name of a folder that a tool made.
func bundleHost(folder string) string {
	if m := sosName.FindStringSubmatch(folder); m != nil {
		return m[1]
	}
	return folder
}

// commandOf is the command line of a file that a tool named after it, as sosreport does, or that is a copy of
// one of the kernel's; empty if the name says nothing of the kind.
func commandOf(name string) string {
	if m := kernelFile.FindStringSubmatch(name); m != nil {
		return "cat /" + m[1]
	}
	if m := sosOutput.FindStringSubmatch(name); m != nil {
		return strings.ReplaceAll(m[1], "_", " ")
	}
	return ""
}

// isPlain reports whether a folder's name is a word for what is in it and no host's name.
func isPlain(folder string) bool { return describes(path.Base(folder)) }
