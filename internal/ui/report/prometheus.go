package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var _ = register(Format{
	Name: "prometheus",
	Fits: func(data any) bool { _, ok := data.(inspected); return ok },
	Print: func(to Output, r Result) error {
		_, err := to.W.Write([]byte(metricsOf(r.Data.(inspected).Inspected())))
		return err
	},
})

// metricsOf is an audit in the text format of Prometheus, for node_exporter's textfile collector.
func metricsOf(a Inspection) string {
	var b strings.Builder
	begin := func(name, help string) {
		fmt.Fprintf(&b, "# HELP seaworthy_%s %s\n# TYPE seaworthy_%s gauge\n", name, help, name)
	}
	begin("finding", "1 for each finding of the audit, by rule, severity and element.")
	for _, f := range a.Open() {
		at := labels("rule", f.Rule, "severity", string(f.Severity), "host", f.Element.Host, "element", f.Element.Element)
		fmt.Fprintf(&b, "seaworthy_finding{%s} 1\n", at)
	}
	begin("rule_not_assessed", "Elements on which a rule lacks a fact.")
	lacking := map[string]int{}
	for _, f := range a.Lacks() {
		lacking[f.Rule]++
	}
	for _, rule := range slices.Sorted(maps.Keys(lacking)) {
		fmt.Fprintf(&b, "seaworthy_rule_not_assessed{%s} %d\n", labels("rule", rule), lacking[rule])
	}
	begin("findings_waived", "Findings that the site accepts.")
	fmt.Fprintf(&b, "seaworthy_findings_waived %d\n", len(a.Waived))
	begin("hosts", "Hosts that were judged.")
	fmt.Fprintf(&b, "seaworthy_hosts %d\n", len(a.Hosts))
	begin("hosts_not_read", "Hosts that were not read, or not to their end.")
	fmt.Fprintf(&b, "seaworthy_hosts_not_read %d\n", len(a.NotRead))
	if !a.At.IsZero() {
		begin("last_audit_timestamp_seconds", "When the audit was made, in seconds since 1970.")
		fmt.Fprintf(&b, "seaworthy_last_audit_timestamp_seconds %d\n", a.At.Unix())
	}
	begin("build_info", "The program that made the audit.")
	fmt.Fprintf(&b, "seaworthy_build_info{%s} 1\n", labels("version", a.Version))
	return b.String()
}

// labels are names and values in turn, quoted as the format asks.
func labels(pairs ...string) string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		value := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(Safe(pairs[i+1]))
		out = append(out, fmt.Sprintf(`%s="%s"`, pairs[i], value))
	}
	return strings.Join(out, ",")
}
