package main

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// buildPackager builds nfpm, whose version packaging/tools/go.mod pins. It is a module of its own: nothing of it is in
// the programs.
func buildPackager(ctx context.Context, stage string) (string, error) {
	path := filepath.Join(stage, "nfpm")
	c := exec.CommandContext(ctx, "go", "build", "-C", "packaging/tools", "-trimpath", "-buildvcs=false", "-o", path,
		"github.com/goreleaser/nfpm/v2/cmd/nfpm")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	return path, quietly(c)
}

// make makes one file of the release from what was staged for its platform.
func (r *Release) make(ctx context.Context, packager string, a artefact, staged string) error {
	if a.config == "" {
		return r.archive(a, staged)
	}
	config, err := filepath.Abs(filepath.Join("packaging/nfpm", a.config+".yaml"))
	if err != nil {
		return err
	}
	system, arch := a.platform.split()
	target := r.Dir + "/" // named after the package
	if system == "aix" {
		target += "seaworthy-probe-" + packageVersion(r.Version) + "-1.aix7.2.ppc.rpm" // as AIX's own are named
	}
	c := exec.CommandContext(ctx, packager, "package", "-f", config, "-p", a.format, "-t", target)
	c.Dir = staged
	c.Env = append(os.Environ(), "ARCH="+arch, "VERSION="+r.Version, "MAINTAINER="+r.Maintainer,
		"PACKAGE_VERSION="+packageVersion(r.Version), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.commit.Unix(), 10))
	return quietly(c)
}

// packageVersion is a version as deb and rpm order it: what is before a release sorts before it.
func packageVersion(semantic string) string { return strings.Replace(semantic, "-", "~", 1) }

// archive writes a .tar.gz whose bytes depend on its content alone.
func (r *Release) archive(a artefact, staged string) error {
	system, arch := a.platform.split()
	root := fmt.Sprintf("%s-%s-%s-%s", a.name, r.Version, system, arch)
	var bundle bytes.Buffer
	w := tar.NewWriter(&bundle)
	for _, entry := range a.files {
		err := r.addTo(w, staged, entry, root)
		if err != nil {
			return err
		}
	}
	err := w.Close()
	if err != nil {
		return err
	}
	return writeCompressed(filepath.Join(r.Dir, root+".tar.gz"), bundle.Bytes())
}

// addTo adds a file, or all files of a folder in the order of their names.
func (r *Release) addTo(w *tar.Writer, staged, entry, root string) error {
	return filepath.WalkDir(filepath.Join(staged, entry), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(staged, path)
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if strings.HasPrefix(name, "bin/") || strings.HasPrefix(name, "lib/") {
			mode = 0o755
		}
		err = w.WriteHeader(&tar.Header{Name: root + "/" + name, Mode: mode, Size: int64(len(text)), ModTime: r.commit, Format: tar.FormatUSTAR})
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
}
