package seaworthy_test

import (
	"slices"
	"strings"
	"testing"
)

// dependencies lists the external modules that each layer may import.
// An entry is judged by what it replaces and by who keeps it; it covers the
// packages below it.
var dependencies = map[string][]string{
	"cmd":       {"github.com/spf13/cobra", "golang.org/x/sys"},
	"cli":       {"go.yaml.in/yaml/v3", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/sync", "golang.org/x/term"},
	"serve":     {},
	"live":      {"charm.land/bubbletea/v2", "charm.land/lipgloss/v2", "github.com/charmbracelet"},
	"report":    {"charm.land/lipgloss/v2", "github.com/charmbracelet", "gonum.org/v1/gonum"},
	"tune":      {"gonum.org/v1/gonum"},
	"loop":      {},
	"bench":     {"gonum.org/v1/gonum", "github.com/HdrHistogram/hdrhistogram-go", "golang.org/x/sync"},
	"predict":   {"gonum.org/v1/gonum"},
	"diagnose":  {"golang.org/x/sync"},
	"change":    {"golang.org/x/sync", "golang.org/x/sys", "go.yaml.in/yaml/v3"},
	"audit":     {"cel.dev/cel-go", "go.yaml.in/yaml/v3"},
	"collect":   {"golang.org/x/sync", "golang.org/x/sys"},
	"inventory": {},
	"catalog":   {},
	"dialect":   {"github.com/google/go-cmp"},
	"remote":    {"golang.org/x/crypto", "golang.org/x/sync", "go.yaml.in/yaml/v3", "github.com/skeema/knownhosts"},
	"document":  {"go.yaml.in/yaml/v3"},
	"probe":     {"golang.org/x/sys", "github.com/HdrHistogram/hdrhistogram-go"},
	"safefile":  {},
	"progress":  {},
	"interrupt": {},
	"lab": {
		"go.yaml.in/yaml/v3", "github.com/cilium/ebpf", "github.com/google/nftables", "github.com/hanwen/go-fuse/v2",
		"github.com/mdlayher/netlink", "github.com/prometheus/procfs",
		"github.com/vishvananda/netlink", "github.com/vishvananda/netns",
		"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/crypto", "golang.org/x/net", "golang.org/x/sync",
		"golang.org/x/sys", "golang.org/x/term", "gonum.org/v1/gonum",
	},
	"internal": {"github.com/chromedp", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "golang.org/x/crypto", "golang.org/x/sys"},
}

func TestDependencies(t *testing.T) {
	for _, p := range packages(t) {
		own, ok := layerOf(p.ImportPath)
		if !ok {
			continue
		}
		for _, imp := range p.Imports {
			if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
				continue
			}
			if !slices.ContainsFunc(dependencies[own], func(a string) bool { return imp == a || strings.HasPrefix(imp, a+"/") }) {
				t.Errorf("%s imports %s, which is not on the list of %s", p.ImportPath, imp, own)
			}
		}
	}
}
