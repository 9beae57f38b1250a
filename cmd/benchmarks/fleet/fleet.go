package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"seaworthy/collect"
)

const (
	perSystem = 12 // hosts of a managed system: two VIOSes, the rest LPARs
	perSubnet = 20 // systems that share a production subnet
)

// taken is when all the hosts were read.
var taken = time.Date(2026, 3, 2, 4, 0, 0, 0, time.UTC)

// Write makes n hosts below a folder, one folder a host, and gives how many
// files and bytes they are.
func Write(ctx context.Context, dir string, n int, seed uint64) (files int, size int64, err error) {
	t, err := loadTables()
	if err != nil {
		return 0, 0, err
	}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return files, size, err
		}
		h := newHost(i, seed, t)
		if i%perSystem < 2 {
			h.vios()
		} else {
			h.lpar()
		}
		f, s, err := h.save(dir)
		if err != nil {
			return files, size, fmt.Errorf("%s: %w", h.name, err)
		}
		files, size = files+f, size+s
	}
	return files, size, nil
}

// host is one host in the making.
type host struct {
	name     string
	platform string
	number   int // of the partition on its system, from 1
	system   int
	machine  string // serial number
	tables   *tables
	rng      *rand.Rand // of this host
	shared   *rand.Rand // alike for all hosts of the system
	manifest collect.Manifest
	texts    map[string][]byte
}

func newHost(i int, seed uint64, t *tables) *host {
	h := &host{number: i%perSystem + 1, system: i / perSystem, tables: t, texts: map[string][]byte{}}
	h.rng = rand.New(rand.NewPCG(seed, uint64(i)))
	h.shared = rand.New(rand.NewPCG(seed, 1<<40|uint64(h.system)))
	h.machine = fmt.Sprintf("78%05X", h.system)
	return h
}

// one says yes for a share of the hosts.
func (h *host) one(share float64) bool { return h.rng.Float64() < share }

// production and backup are the host's addresses.
func (h *host) production() string {
	s := h.system / perSubnet
	return fmt.Sprintf("10.%d.%d.%d", 16+s/256, s%256, h.system%perSubnet*perSystem+h.number)
}

func (h *host) backup() string {
	k := h.system*perSystem + h.number
	return fmt.Sprintf("172.16.%d.%d", k/250%256, k%250+1)
}

// mac is the address of the host's adapter n.
func (h *host) mac(n int) string {
	return fmt.Sprintf("32:%02x:%02x:%02x:%02x:%02x", h.system>>16&255, h.system>>8&255, h.system&255, h.number, n)
}

// ran adds a command and what it printed.
func (h *host) ran(id, element, attribute, line string, text []byte) {
	r := collect.Record{ID: id, Element: element, Attribute: attribute, Line: line, Start: taken.Add(time.Duration(len(h.texts)) * 30 * time.Millisecond), DurationMS: 20 + h.rng.Int64N(60)}
	if len(text) > 0 {
		parts := []string{id}
		for _, p := range []string{element, attribute} {
			if p != "" {
				parts = append(parts, p)
			}
		}
		r.Stdout = strings.Join(parts, ".") + ".txt"
		h.texts[r.Stdout] = text
	}
	h.manifest.Commands = append(h.manifest.Commands, r)
}

// save writes the host's folder.
func (h *host) save(dir string) (files int, size int64, err error) {
	own := filepath.Join(dir, h.name)
	if err := os.MkdirAll(own, 0o755); err != nil {
		return 0, 0, err
	}
	m := &h.manifest
	m.Schema, m.Host, m.Platform, m.User = collect.SchemaSnapshot, h.name, h.platform, "root"
	m.Started, m.Finished = taken, taken.Add(3*time.Second)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return 0, 0, err
	}
	h.texts["manifest.json"] = append(text, '\n')
	for name, text := range h.texts {
		if err := os.WriteFile(filepath.Join(own, name), text, 0o644); err != nil {
			return files, size, err
		}
		files, size = files+1, size+int64(len(text))
	}
	return files, size, nil
}
