package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var lparstatCodec = codectest.Codec[lparstat.Output]{
	Parse: lparstat.Parse, Format: printing.FormatLparstat,
	Report: func(x *lparstat.Output) *parse.Report { return &x.Report },
}

func TestFormatLparstat(t *testing.T) {
	field := lparstat.NewField
	i := &lparstat.Output{Fields: []lparstat.Field{field("Node Name", "lpar1"), field("Entitled Capacity", "0.50"),
		field("Online Memory", "4096 MB"), field("Physical CPU Percentage", "50.00%"), field("Sub Processor Mode", "-")}}
	codectest.Golden(t, *update, "lparstat_partition.golden", []byte(lparstatCodec.Printed(t, i)))
	table := &lparstat.Table{
		Config: []lparstat.Field{field("type", "Shared"), field("mode", "Uncapped"), field("smt", "4"), field("lcpu", "8"),
			field("mem", "4096MB"), field("psize", "2"), field("ent", "0.50")},
		Columns: []string{"%user", "%sys", "%wait", "%idle", "physc", "%entc", "lbusy", "app", "vcsw", "phint", "%nsp", "%utcyc"},
		Samples: []lparstat.Sample{{Values: values(0.9, 0.7, 0, 98.4, 0.34, 4.2, 1.1, 15.3, 3760, 0, 113, 11.19)}},
	}
	text := lparstatCodec.Printed(t, &lparstat.Output{Tables: []*lparstat.Table{table}})
	codectest.Golden(t, *update, "lparstat_interval.golden", []byte(text))
}

func values(numbers ...float64) []*float64 {
	out := make([]*float64, len(numbers))
	for i := range numbers {
		out[i] = &numbers[i]
	}
	return out
}
