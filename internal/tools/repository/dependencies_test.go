package repository_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/tools/repository"
)

// dependencies lists the external modules that each layer may import.
// An entry is judged by what it replaces and by who keeps it; it covers the
// packages below it.
var dependencies = map[string][]string{
	"cmd":             {"github.com/spf13/cobra", "golang.org/x/sys"},
	"internal/cli":    {"go.yaml.in/yaml/v3", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/sync", "golang.org/x/term"},
	"internal/ui/web": {},
	"internal/ui/top": {"charm.land/bubbletea/v2", "charm.land/lipgloss/v2", "github.com/charmbracelet"},
	"internal/tools":  {"github.com/CycloneDX/cyclonedx-go", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/tools/go/analysis", "golang.org/x/tools/txtar"},
	"internal/app": {
		"github.com/nats-io/nats.go", "golang.org/x/sync", "go.yaml.in/yaml/v3", "github.com/parquet-go/parquet-go", "github.com/prometheus/client_model",
		"github.com/prometheus/common/expfmt", "google.golang.org/protobuf/encoding/protowire", "github.com/klauspost/compress/snappy",
	},
	"internal/ui":            {"charm.land/lipgloss/v2", "github.com/charmbracelet", "gonum.org/v1/gonum"},
	"internal/tune":          {"gonum.org/v1/gonum"},
	"internal/measure":       {"gonum.org/v1/gonum", "github.com/HdrHistogram/hdrhistogram-go", "golang.org/x/sync"},
	"internal/predict":       {"gonum.org/v1/gonum"},
	"internal/diagnose":      {"golang.org/x/sync"},
	"internal/change":        {"golang.org/x/sync", "golang.org/x/sys", "go.yaml.in/yaml/v3"},
	"internal/fleet":         {"golang.org/x/sync", "golang.org/x/time", "github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go", "github.com/nats-io/nkeys", "github.com/robfig/cron/v3", "github.com/klauspost/compress/zstd"},
	"internal/history":       {"modernc.org/sqlite", "github.com/jackc/pgx/v5", "github.com/klauspost/compress/zstd"},
	"internal/audit":         {"cel.dev/cel-go", "go.yaml.in/yaml/v3"},
	"internal/collect":       {"github.com/klauspost/compress/zstd", "github.com/ulikunitz/xz", "golang.org/x/net/html", "golang.org/x/sync", "golang.org/x/sys", "golang.org/x/text/encoding/charmap"},
	"internal/inventory":     {},
	"internal/knowledge":     {},
	"internal/parse":         {"github.com/google/go-cmp"},
	"internal/remote":        {"golang.org/x/crypto", "golang.org/x/sync", "golang.org/x/sys", "go.yaml.in/yaml/v3", "github.com/skeema/knownhosts"},
	"internal/base":          {"go.yaml.in/yaml/v3", "golang.org/x/sys", "github.com/cenkalti/backoff/v5"},
	"internal/measure/probe": {"golang.org/x/sys", "github.com/HdrHistogram/hdrhistogram-go"},
	"lab": {
		"go.yaml.in/yaml/v3", "github.com/cilium/ebpf", "github.com/google/nftables", "github.com/hanwen/go-fuse/v2",
		"github.com/mdlayher/netlink", "github.com/prometheus/procfs",
		"github.com/vishvananda/netlink", "github.com/vishvananda/netns",
		"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/crypto", "golang.org/x/net", "golang.org/x/sync",
		"golang.org/x/sys", "golang.org/x/term", "gonum.org/v1/gonum",
	},
	"internal/test": {"github.com/chromedp", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "github.com/ulikunitz/xz", "golang.org/x/crypto", "golang.org/x/sys"},
}

func TestDependencies(t *testing.T) {
	for _, p := range packages(t) {
		own, ok := repository.LayerOf(p.ImportPath)
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
