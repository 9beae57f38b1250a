package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"seaworthy/internal/base/fileio"
)

// Build makes the files of a release for these platforms, all if none is named, and returns their names. What is built on
// the way stands in a temporary folder, which is removed.
func (r *Release) Build(ctx context.Context, only []string) ([]string, error) {
	wanted := slices.DeleteFunc(slices.Clone(artefacts), func(a artefact) bool {
		return len(only) > 0 && !slices.Contains(only, string(a.platform))
	})
	if len(wanted) == 0 {
		return nil, fmt.Errorf("nothing is released for %s", strings.Join(only, ", "))
	}
	stage, err := os.MkdirTemp("", "seaworthy-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(stage)
	err = os.RemoveAll(r.Dir)
	if err == nil {
		_, err = fileio.MkdirAll(r.Dir)
	}
	if err != nil {
		return nil, err
	}
	err = r.stageShared(ctx, filepath.Join(stage, "shared"))
	if err != nil {
		return nil, err
	}
	packager, err := buildPackager(ctx, stage)
	if err != nil {
		return nil, err
	}
	staged := map[platform]string{}
	for _, a := range wanted {
		dir, done := staged[a.platform]
		if !done {
			dir, err = r.stagePlatform(ctx, stage, a.platform)
			if err != nil {
				return nil, err
			}
			staged[a.platform] = dir
		}
		err = r.make(ctx, packager, a, dir)
		if err != nil {
			return nil, err
		}
	}
	return r.finish(ctx)
}

// compile builds a command of this repository for a platform.
func (r *Release) compile(ctx context.Context, p platform, name, to string) error {
	system, arch := p.split()
	slog.Info("building", "program", name, "platform", p)
	flags := "-s -w -X seaworthy/internal/cli/command.version=" + r.Version + " -X main.version=" + r.Version
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", flags, "-o", to, "./cmd/"+name)
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	return quietly(c)
}

// programs are those that a platform has.
func programs(p platform) []string {
	system, _ := p.split()
	switch system {
	case "linux":
		return []string{"seaworthy", "seaworthy-lab"}
	case "aix":
		return []string{"seaworthy-probe"}
	}
	return []string{"seaworthy"}
}

// buildNode builds what answers on the nodes of a lab, which seaworthy-lab of that architecture holds.
func buildNode(ctx context.Context, arch string) error {
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w",
		"-o", filepath.Join("lab/shim/program/built", "node-"+arch), "./lab/shim/node")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	return quietly(c)
}

// stagePlatform builds the programs of a platform beside what all platforms share.
func (r *Release) stagePlatform(ctx context.Context, stage string, p platform) (string, error) {
	system, arch := p.split()
	dir := filepath.Join(stage, system+"-"+arch)
	err := os.CopyFS(dir, os.DirFS(filepath.Join(stage, "shared")))
	if err != nil {
		return "", err
	}
	if system == "linux" {
		err := buildNode(ctx, arch)
		if err != nil {
			return "", err
		}
	}
	for _, name := range programs(p) {
		program := filepath.Join(dir, "bin", name)
		err := r.compile(ctx, p, name, program)
		if err != nil {
			return "", err
		}
		err = r.writeBill(ctx, p, name, filepath.Join(dir, "doc", name+".cdx.json"))
		if err != nil {
			return "", err
		}
	}
	return dir, r.setTimes(dir)
}

// stageShared builds what is the same on all platforms: helpers, manual pages, completions, papers.
func (r *Release) stageShared(ctx context.Context, dir string) error {
	for _, p := range helpers {
		system, arch := p.split()
		err := r.compile(ctx, p, "seaworthy-probe", filepath.Join(dir, "lib/seaworthy", "seaworthy-probe-"+system+"-"+arch))
		if err != nil {
			return err
		}
	}
	papers := map[string]string{"LICENSE": "doc/LICENSE", "docs/licences.tsv": "doc/licences.tsv"}
	for _, folder := range []string{"systemd", "sysusers"} {
		files, err := filepath.Glob(filepath.Join("packaging", folder, "*"))
		if err != nil {
			return err
		}
		for _, file := range files {
			papers[file] = filepath.Join(folder, filepath.Base(file))
		}
	}
	for from, to := range papers {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		err = writePaper(filepath.Join(dir, to), text)
		if err != nil {
			return err
		}
	}
	changelog, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	err = writeCompressed(filepath.Join(dir, "doc/CHANGELOG.md.gz"), changelog)
	if err != nil {
		return err
	}
	return r.stagePages(ctx, dir)
}

// stagePages lets the programs, built for this machine, write their manual pages and completions.
func (r *Release) stagePages(ctx context.Context, dir string) error {
	own := filepath.Join(dir, "own")
	defer os.RemoveAll(own)
	here := platform(runtime.GOOS + "/" + runtime.GOARCH)
	if runtime.GOOS == "linux" {
		err := buildNode(ctx, runtime.GOARCH)
		if err != nil {
			return err
		}
	}
	for _, name := range programs(here) {
		program := filepath.Join(own, name)
		err := r.compile(ctx, here, name, program)
		if err != nil {
			return err
		}
		pages := filepath.Join(own, "man-"+name)
		_, err = output(ctx, program, "man", pages)
		if err != nil {
			return err
		}
		err = compressAll(pages, filepath.Join(dir, "man", name))
		if err != nil {
			return err
		}
		for shell, file := range map[string]string{"bash": name + ".bash", "zsh": "_" + name, "fish": name + ".fish"} {
			script, err := output(ctx, program, "completion", shell)
			if err == nil {
				err = writePaper(filepath.Join(dir, "completions", file), []byte(script))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func writePaper(path string, text []byte) error {
	_, err := fileio.MkdirAll(filepath.Dir(path))
	if err != nil {
		return err
	}
	return fileio.WritePublic(path, text)
}

// writeCompressed writes gzip without a name or a time in it.
func writeCompressed(path string, text []byte) error {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	return writePaper(path, packed.Bytes())
}

func compressAll(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err == nil {
			err = writeCompressed(filepath.Join(to, e.Name()+".gz"), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setTimes gives every file the time of the source.
func (r *Release) setTimes(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, r.commit, r.commit)
	})
}

// quietly runs a command, and returns what it printed if it fails.
func quietly(c *exec.Cmd) error {
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out)
	}
	return nil
}

// output is what a command prints.
func output(ctx context.Context, argv ...string) (string, error) {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(argv, " "), err, stderr.String())
	}
	return string(out), nil
}
