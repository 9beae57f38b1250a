package seaworthy_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// decoders are the files that decode JSON themselves, and what it is. Whatever
// people hand in is read by package document.
var decoders = map[string]string{
	"audit/rule/casefleet.go":             "what was decoded, in another form",
	"change/plan/simulate.go":             "a copy of our own value",
	"collect/importer/split/json.go":      "outputs in a text, within document's bounds",
	"collect/linux.go":                    "an output",
	"dialect/linux/iplink/iplink.go":      "an output",
	"dialect/load/iperf3/iperf3.go":       "an output",
	"document/json.go":                    "the reader itself",
	"inventory/counters.go":               "part of what is decoded",
	"lab/assemble/capture.go":             "a request within the lab",
	"lab/assemble/fault.go":               "a request within the lab",
	"lab/lab.go":                          "an answer of the lab",
	"lab/odm/store.go":                    "a copy of our own value",
	"lab/profile/trace.go":                "a node's own state",
	"lab/rootfs/shell.go":                 "a node's own state",
	"lab/rpc/server.go":                   "a request within the lab",
	"lab/supervisor/control.go":           "a request within the lab",
	"lab/supervisor/run.go":               "what the lab's own program was started with",
	"lab/traffic/netperfwire.go":          "a request within the lab",
	"lab/up.go":                           "an answer of the lab",
	"probe/client.go":                     "a line of the probe",
	"probe/serve.go":                      "a line for the probe",
	"internal/test/remotetest/handler.go": "test support",
	"internal/test/script/script.go":      "test support",
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
			if decodesYAML.MatchString(l) && path != "document/yaml.go" {
				t.Errorf("%s:%d decodes YAML: use document.YAML", path, i+1)
			}
			if !decodesJSON.MatchString(l) {
				continue
			}
			found[path] = true
			if decoders[path] == "" {
				t.Errorf("%s:%d decodes JSON: use document.JSON, or list it with what it decodes", path, i+1)
			}
		}
	})
	for path := range decoders {
		if !found[path] {
			t.Errorf("%s decodes no JSON: take it off the list", path)
		}
	}
}
