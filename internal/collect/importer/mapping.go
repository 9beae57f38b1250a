package importer

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/inventory/model"
)

// Mapping says of which host some files are, whatever their outputs say.
type Mapping struct {
	Files    string `yaml:"files"`              // pattern of their paths as import prints them: today/web*, today/db/*
	Host     string `yaml:"host"`               //
	Platform string `yaml:"platform,omitempty"` // aix, vios, linux; empty: as the outputs say
}

// maxMap bounds a file of mappings, in bytes.
const maxMap = 1 << 20

// LoadMap reads a file of mappings, a YAML list. A wrong one is an error that names the file.
func LoadMap(ctx context.Context, file string) ([]Mapping, error) {
	text, err := decode.Read(ctx, file, maxMap)
	if err != nil {
		return nil, err
	}
	var list []Mapping
	if err := decode.YAML(file, text, &list); err != nil {
		return nil, err
	}
	for i, m := range list {
		_, bad := path.Match(m.Files, "")
		switch {
		case m.Files == "" || m.Host == "":
			return nil, fmt.Errorf("%s: entry %d: files and host are needed", file, i+1)
		case bad != nil:
			return nil, fmt.Errorf("%s: entry %d: %s is no pattern of files: %w", file, i+1, m.Files, bad)
		case model.MeansThisMachine(m.Host):
			return nil, fmt.Errorf("%s: entry %d: %s means the machine on which it is used: give the host a name of its own", file, i+1, m.Host)
		case m.Platform != "" && !slices.Contains(Platforms(), m.Platform):
			return nil, fmt.Errorf("%s: entry %d: platform %s: give one of %s", file, i+1, m.Platform, strings.Join(Platforms(), ", "))
		}
	}
	return list, nil
}

// mappedBy is the first mapping of a file: its pattern matches the file's path or that of a folder above it. Nil: none does.
func mappedBy(list []Mapping, file string) *Mapping {
	for i := range list {
		for at := file; at != "." && at != "/"; at = path.Dir(at) {
			if matches, _ := path.Match(list[i].Files, at); matches {
				return &list[i]
			}
		}
	}
	return nil
}

// mapped gives the outputs of mapped files their hosts.
func mapped(files []*file, list []Mapping) {
	if len(list) == 0 {
		return
	}
	for _, f := range files {
		m := mappedBy(list, f.path)
		if m == nil {
			continue
		}
		for _, p := range f.parts {
			if p.found == nil && p.named == "" {
				continue
			}
			p.Host, p.HostFrom, p.given = m.Host, "--map", m.Platform
			p.named, p.namedBy = "", "" // it speaks of no other file's
		}
	}
}
