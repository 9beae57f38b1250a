package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var noCodec = codectest.Codec[no.Tunables]{
	Parse: no.Parse, Format: printing.FormatNo,
	Report: func(x *no.Tunables) *parse.Report { return &x.Report },
}

func TestFormatNo(t *testing.T) {
	val := func(n uint64) *no.Value { v := no.Short(n); return &v }
	send := &no.Tunable{Name: "tcp_sendspace", Current: val(262144), Default: val(16384), Boot: val(262144), Min: val(4096), Max: val(1<<63 - 1),
		Unit: "byte", Type: "C"}
	isno := &no.Tunable{Name: "use_isno", Restricted: true, Current: val(1), Default: val(1), Boot: val(1), Min: val(0), Max: val(1),
		Unit: "boolean", Type: "D"}
	long := &no.Tunable{Name: "a_name_too_long_for_its_column", Restricted: true, Current: val(1), Default: val(1), Boot: val(1),
		Min: val(0), Max: val(1), Unit: "boolean", Type: "D"}
	list := noCodec.Printed(t, &no.Tunables{Form: no.List, Tunables: []*no.Tunable{send, isno, long}})
	all := noCodec.Printed(t, &no.Tunables{Form: no.All, Tunables: []*no.Tunable{{Name: "sb_max", Current: val(1)}, {Name: "rfc1323", Current: val(0)}}})
	named := noCodec.Printed(t, &no.Tunables{Form: no.Named, Tunables: []*no.Tunable{{Name: "sb_max", Current: val(1)}}})
	codectest.Golden(t, *update, "no.golden", []byte(list+all+named))
}
