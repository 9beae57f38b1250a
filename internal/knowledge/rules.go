package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seaworthy/internal/base/decode"
)

// maxRuleFile bounds a site's rule file, in bytes.
const maxRuleFile = 4 << 20

func decodeRules(name string, text []byte) ([]Rule, error) {
	var own struct {
		Rules []Rule `yaml:"rules"`
	}
	if err := decode.YAML(name, text, &own); err != nil {
		return nil, err
	}
	for i := range own.Rules {
		own.Rules[i].File = name
	}
	return own.Rules, nil
}

// layerOf gives the layer in which an attribute of a judged kind is. No option of
// AIX has a dot in its name, all of sysctl's have.
func layerOf(kind, attr string) string {
	switch kind {
	case "tunables":
		if strings.Contains(attr, ".") {
			return "sysctl"
		}
		return "no"
	case "host":
		return "vios"
	}
	return kind
}

// LoadRules reads a site's own rules: every *.yaml of the folder, in name
// order. They are checked as the built-in ones are; a site's sources need not
// be registered.
func LoadRules(ctx context.Context, dir string) ([]Rule, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("rules folder: %w", err)
		}
		return nil, fmt.Errorf("rules folder %s: no *.yaml file", dir)
	}
	var (
		all  []Rule
		errs []error
	)
	for _, name := range names {
		text, err := decode.Read(ctx, name, maxRuleFile)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rules, err := decodeRules(name, text)
		errs = append(errs, err)
		all = append(all, rules...)
	}
	slices.SortStableFunc(all, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	errs = append(errs, checkRules(all, nil)...)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return all, nil
}

var (
	severities  = []string{"critical", "high", "medium", "low", "info"}
	confidences = []string{"high", "medium", "low"}
	verdicts    = []string{"PASS", "FINDING", "NOT_ASSESSED", "NOT_APPLICABLE"}
	kinds       = []string{"interface", "virtual-adapter", "vnic", "sea", "etherchannel", "physical-adapter", "adapter", "vlan", "host",
		"tunables"}
)
