package printing_test

import (
	"testing"

	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/table"
	"seaworthy/lab/printing"
)

// FuzzFormat prints whatever the codecs read of a text: none may panic.
func FuzzFormat(f *testing.F) {
	for _, seed := range []string{lscfgDetail, instfixSample, errptShort, lsmapBlocks, protocolsSample, "mtu 1500 Maximum IP Packet Size for This Device True\n",
		"ent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n", "sb_max = 1048576\n", "en0 lo0\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		printed(arpCodec.Parse, arpCodec.Format, text)
		printed(errptCodec.Parse, errptCodec.Format, text)
		printed(ifconfigCodec.Parse, ifconfigCodec.Format, text)
		printed(instfixCodec.Parse, instfixCodec.Format, text)
		printed(interfacesCodec.Parse, interfacesCodec.Format, text)
		printed(lparstatCodec.Parse, lparstatCodec.Format, text)
		printed(lsattr.Parse, printing.FormatLsattr, text)
		printed(lscfgCodec.Parse, lscfgCodec.Format, text)
		printed(lsdev.Parse, printing.FormatLsdev, text)
		printed(lsmapCodec.Parse, lsmapCodec.Format, text)
		printed(noCodec.Parse, noCodec.Format, text)
		printed(protocolsCodec.Parse, protocolsCodec.Format, text)
		printed(routesCodec.Parse, routesCodec.Format, text)
		printed(seastatCodec.Parse, seastatCodec.Format, text)
		printed(slotsCodec.Parse, slotsCodec.Format, text)
	})
}

func printed[T any](parse func([]byte) (*T, error), format func(*T) []byte, text []byte) {
	if v, err := parse(text); err == nil {
		format(v)
	}
}

// What a listing's columns separate is a line again when it is printed.
func FuzzFields(f *testing.F) {
	f.Add("name:status:description", "ent0:Available:Shared Ethernet Adapter")
	f.Fuzz(func(t *testing.T, format, line string) {
		fields := table.ParseFields(format)
		values, _ := fields.Split(line, 0)
		if values == nil || fields.Aligned() || len(fields.Names) != 2 {
			return
		}
		form := lsattr.Form{Kind: lsattr.Fields, Fields: fields}
		form.Fields.Names = []string{"attribute", "value"}
		list := &lsattr.Listing{Form: form, Attributes: []lsattr.Attribute{{Name: values[0], Value: &values[1]}}}
		if got := string(printing.FormatLsattr(list)); got != line+"\n" {
			t.Errorf("%q: cut and printed: got %q, want %q", format, got, line)
		}
	})
}
