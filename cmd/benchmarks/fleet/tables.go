package fleet

import (
	"bytes"
	"embed"
	"fmt"
	"slices"

	"seaworthy/dialect/aix/lsattr"
)

//go:embed text/*.txt
var text embed.FS

// tables are the attributes that each kind of device has, with their defaults,
// and the texts that are the same on every host.
type tables struct {
	iface, virtual, physical, sea, channel []lsattr.Attribute
	noL, isno, noA, netstatS               []byte
}

func loadTables() (*tables, error) {
	t := &tables{}
	for _, x := range []struct {
		name string
		to   *[]lsattr.Attribute
	}{{"interface", &t.iface}, {"virtual", &t.virtual}, {"physical", &t.physical}, {"sea", &t.sea}, {"etherchannel", &t.channel}} {
		b, err := text.ReadFile("text/" + x.name + ".txt")
		if err != nil {
			return nil, err
		}
		l, err := lsattr.Parse(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.name, err)
		}
		for _, a := range l.Attributes {
			*x.to = append(*x.to, lsattr.Row(a.Name, *a.Value, a.Description, a.Settable))
		}
	}
	for _, x := range []struct {
		name string
		to   *[]byte
	}{{"no-L", &t.noL}, {"no-L.use_isno", &t.isno}, {"no-a", &t.noA}, {"netstat-s", &t.netstatS}} {
		var err error
		if *x.to, err = text.ReadFile("text/" + x.name + ".txt"); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// device adds what lsattr says of a device: now, by default, and which values
// some attributes may have.
func (h *host) device(name string, table []lsattr.Attribute, set map[string]string) {
	h.ran("lsattr-Dl", name, "", "lsattr -Dl "+name, lsattr.Format(lsattr.New(lsattr.D(), table...)))
	now := slices.Clone(table)
	for i := range now {
		if v, ok := set[now[i].Name]; ok {
			now[i].Value = &v
		}
	}
	h.ran("lsattr-El", name, "", "lsattr -El "+name, lsattr.Format(lsattr.New(lsattr.El(), now...)))
}

// allowed adds the largest values of an adapter's receive pools.
func (h *host) allowed(name string) {
	for _, p := range []struct {
		pool string
		most int
	}{{"tiny", 4096}, {"small", 4096}, {"medium", 2048}, {"large", 256}, {"huge", 128}} {
		attr := "max_buf_" + p.pool
		h.ran("lsattr-Rl", name, attr, "lsattr -Rl "+name+" -a "+attr, fmt.Appendf(nil, "1...%d (+1)\n", p.most))
	}
}

// protocols is netstat -s with numbers drawn.
func (h *host) protocols() []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(h.tables.netstatS) {
		if tabs := bytes.Count(line, []byte("\t")); tabs > 0 && bytes.HasPrefix(line[tabs:], []byte("0 ")) {
			out.Write(line[:tabs])
			fmt.Fprintf(&out, "%d", h.rng.Uint64N(1<<(8+h.rng.UintN(24))))
			line = line[tabs+1:]
		}
		out.Write(line)
	}
	return out.Bytes()
}
