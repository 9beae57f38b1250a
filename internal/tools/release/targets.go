package main

import "strings"

// platform is an operating system and an architecture, as Go names them: linux/amd64.
type platform string

func (p platform) split() (system, arch string) {
	system, arch, _ = strings.Cut(string(p), "/")
	return system, arch
}

// helpers are the platforms that bench's helper is built for.
var helpers = []platform{"aix/ppc64", "linux/amd64", "linux/arm64", "linux/ppc64le"}

// artefact is a file of a release, made from what was built for a platform.
type artefact struct {
	platform platform
	config   string // of nfpm, below packaging/nfpm; empty: an archive
	format   string // deb or rpm
	name     string // of an archive, without version and platform
	files    []string
}

// artefacts are all that a release has.
var artefacts = func() []artefact {
	var all []artefact
	for _, p := range []platform{"linux/amd64", "linux/arm64", "linux/ppc64le"} {
		for _, config := range []string{"seaworthy", "seaworthy-lab"} {
			all = append(all, artefact{platform: p, config: config, format: "deb"}, artefact{platform: p, config: config, format: "rpm"})
		}
	}
	for _, p := range []platform{"darwin/amd64", "darwin/arm64"} {
		all = append(all, artefact{platform: p, name: "seaworthy", files: []string{
			"bin", "lib/seaworthy", "man/seaworthy", "completions/seaworthy.bash", "completions/_seaworthy", "completions/seaworthy.fish", "doc",
		}})
	}
	return append(all,
		artefact{platform: "aix/ppc64", config: "seaworthy-probe-aix", format: "rpm"},
		artefact{platform: "aix/ppc64", name: "seaworthy-probe", files: []string{"bin", "doc"}},
	)
}()
