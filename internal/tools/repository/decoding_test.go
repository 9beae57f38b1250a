package repository_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// decoders are the files that decode JSON themselves, and what it is. Whatever
// people hand in is read by package decode.
var decoders = map[string]string{
	"internal/audit/rule/casefleet.go":                 "what was decoded, in another form",
	"internal/change/plan/simulate.go":                 "a copy of our own value",
	"internal/collect/importer/split/json.go":          "outputs in a text, within decode's bounds",
	"internal/collect/importer/split/textlines.go":     "places of texts that decode has read",
	"internal/history/restore.go":                      "a record that the store wrote",
	"internal/collect/importer/normalize/recording.go": "a line of a recording",
	"internal/collect/importer/split/logged.go":        "a line of a log",
	"internal/collect/linux.go":                        "an output",
	"internal/parse/linux/iplink/iplink.go":            "an output",
	"internal/parse/linux/ovsvsctl/json.go":            "an output",
	"internal/parse/linux/protocols/nstat.go":          "an output",
	"internal/parse/linux/qdisc/limits.go":             "part of what is decoded",
	"internal/parse/linux/qdisc/qdisc.go":              "an output",
	"internal/parse/load/iperf3/iperf3.go":             "an output",
	"internal/base/decode/json.go":                     "the reader itself",
	"internal/inventory/model/counters.go":             "part of what is decoded",
	"lab/assemble/assemble.go":                         "a request within the lab",
	"lab/main.go":                                      "an answer of the lab's own program",
	"lab/lab.go":                                       "an answer of the lab",
	"lab/profile/trace.go":                             "a node's own state",
	"lab/rootfs/shell.go":                              "a node's own state",
	"lab/rpc/server.go":                                "a request within the lab",
	"lab/supervisor/control.go":                        "a request within the lab",
	"lab/supervisor/run.go":                            "what the lab's own program was started with",
	"lab/traffic/netserver.go":                         "a request within the lab",
	"lab/up.go":                                        "an answer of the lab",
	"internal/measure/probe/client.go":                 "a line of the probe",
	"internal/measure/probe/serve.go":                  "a line for the probe",
	"internal/parse/load/saved/saved.go":               "an output of iperf3",
	"internal/test/remotetest/handler.go":              "test support",
	"internal/tools/fieldcases/run.go":                 "an output of the program",
	"internal/tools/repository/layers.go":              "an output of the go command",
	"internal/test/script/script.go":                   "test support",
}

var (
	decodesYAML = regexp.MustCompile(`\byaml\.(Unmarshal|NewDecoder)\(`)
	decodesJSON = regexp.MustCompile(`\bjson\.(Unmarshal|NewDecoder)\(`)
)

func TestOneReader(t *testing.T) {
	found := map[string]bool{}
	eachGoFile(t, func(path string, lines []string) {
		path = filepath.ToSlash(path)
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for i, l := range lines {
			if decodesYAML.MatchString(l) && path != "internal/base/decode/yaml.go" {
				t.Errorf("%s:%d decodes YAML: use decode.YAML", path, i+1)
			}
			if !decodesJSON.MatchString(l) {
				continue
			}
			found[path] = true
			if decoders[path] == "" {
				t.Errorf("%s:%d decodes JSON: use decode.JSON, or list it with what it decodes", path, i+1)
			}
		}
	})
	for path := range decoders {
		if !found[path] {
			t.Errorf("%s decodes no JSON: take it off the list", path)
		}
	}
}

// elsewhere are the packages that read files, or decode them, though nobody hands them
// any, or though another package makes sense of them.
var elsewhere = map[string]string{
	"internal/cli":                  "plans are parsed by change/plan; a token is a word",
	"internal/change/task":          "its own table",
	"internal/fleet/control":        "answers of the hub to its own program",
	"internal/fleet/hub":            "what it wrote itself",
	"internal/history":              "a manifest is read as collect reads it",
	"internal/inventory/netmanager": "its own table",
	"internal/tools/benchmarks":     "its own table",
	"internal/tools/fieldcases":     "its own table",
	"internal/tools/securitytests":  "its own table",
	"internal/test/script":          "a manifest that the test made",
	"internal/tools/site":           "the schemas of the program",
	"internal/collect/importer":     "a manifest is read as collect reads it",
	"internal/parse/registry":       "its own table",
	"lab/effect":                    "its own table",
	"lab/fault":                     "its own table",
	"lab/guest":                     "its own table",
	"lab/node/commands":             "its own table",
	"lab/odm":                       "its own table",
	"lab/replay":                    "its own tables",
	"lab/replica":                   "the text that it made",
	"internal/ui/web/store":         "results are parsed by bench/history",
	"internal/app/past":             "results are parsed by bench/history",
	"internal/app/plans":            "plans are parsed by internal/change/plan",
	"internal/app/metrics":          "its own tables",
	"internal/app/notify":           "what it wrote itself; a receiver is a word, which is fuzzed",
}

var readsFiles = regexp.MustCompile(`\bdecode\.(Read|JSON|YAML|Node|Fits)\(`)

// Whatever reads a file that people hand over has a fuzz target, which the nightly
// run gives its time.
func TestReadersAreFuzzed(t *testing.T) {
	nightly, err := os.ReadFile(".ci/nightly")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)handed='(.*?)'`).FindSubmatch(nightly)
	if list == nil {
		t.Fatal(".ci/nightly has no list of readers")
	}
	handed := strings.Fields(string(list[1]))
	reads, fuzzed := map[string]bool{}, map[string]bool{}
	eachGoFile(t, func(path string, lines []string) {
		path = filepath.ToSlash(path)
		dir, test := filepath.Dir(path), strings.HasSuffix(path, "_test.go")
		for _, l := range lines {
			reads[dir] = reads[dir] || !test && readsFiles.MatchString(l)
			fuzzed[dir] = fuzzed[dir] || test && strings.HasPrefix(l, "func Fuzz")
		}
	})
	for dir := range reads {
		if reads[dir] && elsewhere[dir] == "" && !slices.Contains(handed, dir) {
			t.Errorf("%s reads files: list it in .ci/nightly, or here with what it reads", dir)
		}
	}
	for _, dir := range handed {
		if !fuzzed[dir] {
			t.Errorf("%s is in .ci/nightly and has no fuzz target", dir)
		}
	}
	for dir := range elsewhere {
		if !reads[dir] {
			t.Errorf("%s reads no file: take it off the list", dir)
		}
	}
}
