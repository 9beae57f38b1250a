package defect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// upstream are the kernel releases whose number says which fixes they have: those of
// kernel.org, also in packages of their own build and of Fedora. Other distributions keep a number
// and carry fixes back.
var upstream = regexp.MustCompile(`^(\d+\.\d+(?:\.\d+)?)(?:-rc\d+)?\+?(?:-\d+(?:\.fc\d+)?(?:\.ppc64(?:le)?|\.x86_64|\.aarch64)?)?$`)

// debian is how Debian names the package of a running kernel, whose number is that of kernel.org.
var debian = regexp.MustCompile(`^Debian (\d+\.\d+\.\d+)-\d`)

// redHat is a release of a kernel of RHEL, and how entries name the first package with a fix.
var (
	redHat        = regexp.MustCompile(`^\d+\.\d+\.\d+-\d[\d.]*\.el(\d+)`)
	redHatPackage = regexp.MustCompile(`\bkernel[-a-z]*-(\d+\.\d+\.\d+-\d[\d.]*\.el\d+\S*)`)
)

// kernelOf judges a Linux kernel by its release, and by the package that it is of.
func kernelOf(d *knowledge.Defect, h *model.Host) Level {
	if h.Level == "" {
		return Level{State: NotRead, Why: "kernel release", Command: "uname -a"}
	}
	if m := debian.FindStringSubmatch(h.Build); m != nil {
		return ofKernelOrg(d, m[1])
	}
	if m := upstream.FindStringSubmatch(h.Level); m != nil {
		return ofKernelOrg(d, m[1])
	}
	return ofDistribution(d, h.Level)
}

// ofKernelOrg judges a release that has the fixes that its number says.
func ofKernelOrg(d *knowledge.Defect, release string) Level {
	const command = "uname -a"
	cured := func(by string) Level {
		return Level{State: Cured, Why: fmt.Sprintf("kernel %s has the fix, which came with %s", release, by), Command: command}
	}
	first := stableFix(d, release)
	switch {
	case d.Fixed != nil && d.Fixed.Mainline != "" && compare(release, d.Fixed.Mainline) >= 0:
		return cured(d.Fixed.Mainline)
	case first != "" && compare(release, first) >= 0:
		return cured(first)
	case d.Affected.Kernel != "" && compare(release, d.Affected.Kernel) < 0:
		return Level{State: NotAffected, Why: "kernel " + release + " is older than the defect", Command: command}
	case first != "":
		return Level{State: Affected, Why: fmt.Sprintf("kernel %s is older than %s, which has the fix", release, first), Command: command}
	case d.Affected.Kernel != "":
		return Level{State: Affected, Why: "kernel " + release, Command: command}
	case between(d, release):
		return Level{State: Affected, Why: "kernel " + release + " is of a branch that never got the fix", Command: command}
	}
	return unpublished(d)
}

// stableFix is the last fix in the stable branch of a release; empty if there is none.
func stableFix(d *knowledge.Defect, release string) (last string) {
	if d.Fixed == nil {
		return ""
	}
	for _, first := range d.Fixed.Stable {
		if sameBranch(release, first) && (last == "" || compare(first, last) > 0) {
			last = first
		}
	}
	return last
}

// between says that a release is of a branch between one that was fixed and the release of Linux with the fix.
func between(d *knowledge.Defect, release string) bool {
	return d.Fixed != nil && d.Fixed.Mainline != "" &&
		slices.ContainsFunc(d.Fixed.Stable, func(first string) bool { return compare(release, first) > 0 })
}

// ofDistribution judges the kernel of a distribution that carries fixes back under an old number.
func ofDistribution(d *knowledge.Defect, release string) Level {
	if d.Fixed != nil && d.Fixed.Mainline != "" && compare(release, d.Fixed.Mainline) >= 0 {
		why := fmt.Sprintf("kernel %s is later than %s, which has the fix", release, d.Fixed.Mainline)
		return Level{State: Cured, Why: why, Command: "uname -r"}
	}
	if first := redHatFix(d, release); first != "" {
		if compare(release, first) >= 0 {
			return Level{State: Cured, Why: fmt.Sprintf("kernel %s has the fix, which came with %s", release, first), Command: "uname -r"}
		}
		return Level{State: Affected, Why: fmt.Sprintf("kernel %s is older than %s, which has the fix", release, first), Command: "uname -r"}
	}
	return Level{State: NotRead, Why: "whether kernel " + release + " has the fix: the number of a distribution's kernel does not say",
		Command: "rpm -q --changelog kernel, or the distribution's changelog", Unpublished: true}
}

// redHatFix is the first package of a release's minor version of RHEL with the fix; empty if none was published.
func redHatFix(d *knowledge.Defect, release string) string {
	if d.Fixed == nil || !redHat.MatchString(release) {
		return ""
	}
	for _, p := range d.Fixed.Packages {
		m := redHatPackage.FindStringSubmatch(p)
		if m != nil && alike(m[1], release, 4) && redHat.MatchString(m[1]) && minorOf(m[1]) == minorOf(release) {
			return m[1]
		}
	}
	return ""
}

// minorOf is el8_1 of 4.18.0-147.20.1.el8_1.ppc64le.
func minorOf(release string) string {
	_, after, _ := strings.Cut(release, ".el")
	minor, _, _ := strings.Cut(after, ".")
	return minor
}

// sameBranch says that two kernels are of one stable branch.
func sameBranch(a, b string) bool { return alike(a, b, 2) }
