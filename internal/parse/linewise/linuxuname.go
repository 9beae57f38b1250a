package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// LinuxUname holds what uname -a of Linux said: the node's name is second, the kernel's release third.
type LinuxUname struct {
	parse.Report
	Node    string `json:"node"`
	Release string `json:"release"` // 4.18.0-553.el8_10.ppc64le
	// Build is the distribution's package of the kernel, where the version names it: Debian 6.1.52-1.
	Build string `json:"build,omitempty"`
}

// unameBuild is how Debian names the package in the kernel's version.
var unameBuild = parse.Lazy(`\bDebian \d+\.\d+\.\d+-\S+`)

var linuxUnameOutput = &output[LinuxUname]{
	name: "linux-uname",
	rows: []line[LinuxUname]{func(n *LinuxUname, l parse.Line) bool {
		words := strings.Fields(l.Text)
		if n.Node != "" || len(words) < 3 || words[0] != "Linux" {
			return false
		}
		n.Node, n.Release = words[1], words[2]
		n.Build = unameBuild.Regexp().FindString(l.Text)
		return true
	}},
}

// ParseLinuxUname reads uname -a. Lines that follow the first are not understood.
func ParseLinuxUname(text []byte) (*LinuxUname, error) { return linuxUnameOutput.parse(text) }

// KernelRelease is what uname -r of Linux said.
type KernelRelease struct {
	parse.Report
	Release string `json:"release"` // 4.18.0-553.el8_10.ppc64le
}

var releaseForm = parse.Lazy(`^\d+\.\d+\.\d+\S*$`)

var kernelReleaseOutput = &output[KernelRelease]{
	name: "kernel-release",
	rows: []line[KernelRelease]{func(k *KernelRelease, l parse.Line) bool {
		release := strings.TrimSpace(l.Text)
		if k.Release != "" || !releaseForm.MatchString(release) {
			return false
		}
		k.Release = release
		return true
	}},
}

// ParseKernelRelease reads uname -r; parse.ErrNotRecognised if no line is a release of Linux.
func ParseKernelRelease(text []byte) (*KernelRelease, error) { return kernelReleaseOutput.parse(text) }
