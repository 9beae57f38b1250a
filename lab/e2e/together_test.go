package e2e

import (
	"regexp"
	"slices"
	"strings"
)

// A batch is several mis-settings in one lab.
type batch struct {
	lab   string
	login string // to the VIOSes: padmin or root
	of    []misset
}

func (b batch) name() string {
	n := b.lab + "/" + b.login
	for _, c := range b.of {
		n += "/" + c.host + " " + c.do
	}
	return n
}

// changed are the hosts that a batch touches.
func (s *site) changed(b batch) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range b.of {
		if n := s.login(c.host); !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// lone are mis-settings that others change: they get a lab of their own.
var lone = regexp.MustCompile(`ifconfig|alias4|netmask|mtu|jumbo|state=down -P|state=down$|use_isno|ipforwarding|large_receive|_buf_|chksum|sb_max|^true$`)

// packed puts singles that have nothing to do with each other into one lab:
// no two of a host set an attribute of the same name, no two give the same
// finding. What rebuilds a device comes before what waits for a boot.
func packed(all []misset) []batch {
	var out []batch
	for _, c := range all {
		fits := func(b batch) bool {
			return b.lab == c.lab && !slices.ContainsFunc(b.of, func(o misset) bool {
				return lone.MatchString(c.do) || lone.MatchString(o.do) || overlap(o, c)
			})
		}
		if i := slices.IndexFunc(out, fits); i >= 0 {
			out[i].of = append(out[i].of, c)
			continue
		}
		out = append(out, batch{c.lab, "padmin", []misset{c}})
	}
	for _, b := range out {
		slices.SortStableFunc(b.of, func(x, y misset) int { return strings.Count(y.do, "&&") - strings.Count(x.do, "&&") })
	}
	return out
}

var assigned = regexp.MustCompile(`([a-z_0-9]+)=`)

func overlap(a, b misset) bool {
	if slices.ContainsFunc(a.want, func(id string) bool { return slices.Contains(b.want, id) }) {
		return true
	}
	if a.host != b.host {
		return false
	}
	return slices.ContainsFunc(assigned.FindAllStringSubmatch(a.do, -1), func(m []string) bool {
		return m[1] != "state" && strings.Contains(b.do, m[0])
	})
}

// together are mis-settings at once. What one of them names, it names whatever
// the others are.
var together = []batch{
	{"two-systems", "padmin", []misset{
		{host: "lpar1", do: set("en0", "rfc1323=0"), want: found("R001 lpar1:en0", "R001 lpar2:en0", "R071 lpar1:en0")},
		{host: "vios1", do: set("ent5", "largesend=0"), want: found("R004 vios1:ent5")},
		{host: "vios1", do: later("ent0", "large_send=no"), want: found("R005 vios1:ent0")},
		{host: "lpar1", do: no("sb_max=262144"), want: found("R074 lpar1:no")},
		{host: "lpar2", do: off("en0", "mtu=9000"), want: found("R020 lpar2:en0")},
		{host: "lpar2", do: no("use_isno=0"), want: found("R072 lpar2:no")},
	}},
	{"healthy", "root", []misset{
		{host: "lpar1", do: free("en0", "ent0", "chksum_offload=no"), want: found("R003 lpar1:ent0")},
		{host: "lpar1", do: set("en0", "mtu_bypass=off"), want: found("R001 lpar1:en0")},
		{host: "vios1", do: rebuilt("en5", "ent5", "ent0", "large_send=no -a chksum_offload=no"),
			want: found("R005 vios1:ent0", "R006 vios1:ent0")},
		{host: "vios1", do: set("ent5", "large_receive=no"), want: found("R008 vios1:ent5")},
		{host: "vios1", do: set("en5", "tcp_sendspace=65536"), want: found("R073 vios1:en5")},
		{host: "lpar2", do: "ifconfig en0 -largesend", want: found("R002 lpar2:en0")},
	}},
	{"healthy", "padmin", []misset{
		{host: "lpar1", do: no("use_isno=0"), want: found("R072 lpar1:no")},
		{host: "lpar1", do: set("en0", "tcp_recvspace=16384"), want: found("R073 lpar1:en0")},
		{host: "lpar2", do: free("en0", "ent0", "buf_mode=min -a max_buf_small=4096"), want: found("R030 lpar2:ent0", "R031 vios2:ent4")},
		{host: "vios2", do: "ioscli chdev -dev ent5 -attr adapter_reset=yes", want: found("R046 vios2:ent5")},
		{host: "vios2", do: later("ent4", "chksum_offload=no"), want: found("R003 vios2:ent4")},
	}},
	{"shared", "padmin", []misset{
		{host: "lpar3", do: set("en0", "mtu_bypass=off"), want: found("R001 lpar3:en0")},
		{host: "lpar1", do: "ifconfig en0 detach", want: found("R082 lpar1:en0")},
		{host: "vios1", do: set("ent5", "largesend=0"), want: found("R004 vios1:ent5")},
	}},
	{"jumbo", "padmin", []misset{
		{host: "lpar1", do: off("en0", "mtu=1500"), want: found("R024 lpar1:en0")},
		{host: "vios2", do: set("ent5", "jumbo_frames=no"), want: found("R023 vios2:ent5")},
		{host: "vios1", do: later("ent0", "flow_ctrl=no"), want: found("R040 vios1:ent0")},
	}},
	{"ports", "padmin", []misset{
		{host: "lpar1", do: free("en0", "ent0", "large_send=no -a chksum_offload=no -a flow_ctrl=no"),
			want: found("R006 lpar1:ent0", "R007 lpar1:ent0", "R040 lpar1:ent0")},
		{host: "lpar2", do: off("en1", "mtu=1500"), want: found("R024 lpar2:en1")},
		{host: "lpar2", do: free("en0", "ent0", "jumbo_frames=yes"), want: found("R021 lpar2:ent0")},
	}},
}
