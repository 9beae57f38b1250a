package topology

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"net/netip"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/base/decode"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Schema is the JSON Schema of a topology file, for editors.
//
//go:embed schema.json
var Schema []byte

// maxFile bounds what is read as a topology.
const maxFile = 4 << 20

// Parse checks the text of a topology file. The file name is for messages; an
// error is an *Error with the line.
func Parse(file string, data []byte) (t *Topology, err error) {
	r := &resolver{reader: reader{file, map[string]int{}}, ports: map[string]*Port{}, cable: map[string]string{}, macs: map[string]string{},
		addrs: map[netip.Addr]string{}}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error: // of fail
			t, err = nil, e
		default:
			panic(e)
		}
	}()
	if len(data) > maxFile {
		r.failAt(0, "larger than %d bytes: not a topology", maxFile)
	}
	return r.topology(r.read(data)), nil
}

// Source finds the text of a topology: a built-in name, or the path of a file
// (anything with a slash or ending in .yaml or .yml).
func Source(ctx context.Context, name string) (file string, data []byte, err error) {
	if !strings.Contains(name, "/") && path.Ext(name) != ".yaml" && path.Ext(name) != ".yml" {
		data, err := builtin.ReadFile("builtin/" + name + ".yaml")
		if err != nil {
			return "", nil,
				fmt.Errorf("%s: no such built-in topology, expected one of %s, or the path of a .yaml file", name, strings.Join(Builtins(), ", "))
		}
		return name + ".yaml", data, nil
	}
	data, err = decode.Read(ctx, name, maxFile)
	if err != nil {
		return "", nil, fmt.Errorf("topology: %w", err)
	}
	return name, data, nil
}

// Load reads and checks a topology by built-in name or path.
func Load(ctx context.Context, name string) (*Topology, error) {
	file, data, err := Source(ctx, name)
	if err != nil {
		return nil, err
	}
	return Parse(file, data)
}

// Builtins are the names of the topologies that come with seaworthy.
func Builtins() []string {
	names, _ := fs.Glob(builtin, "builtin/*.yaml") // fails only for another pattern
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".yaml")
	}
	slices.Sort(names)
	return names
}

// Title is the first comment line of a topology's text.
func Title(data []byte) string {
	first, _, _ := strings.Cut(string(data), "\n")
	if !strings.HasPrefix(first, "#") {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeft(first, "# "))
}
