package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/capture"
	"seaworthy/lab/wire"
)

func (a *app) prove() *cobra.Command {
	return command.Group("prove", "Show what really passes the cables of a lab", a.proveLargesend())
}

func (a *app) proveLargesend() *cobra.Command {
	return inLab(&cobra.Command{
		Use:   "largesend FROM TO",
		Short: "Send a TCP stream and show the sizes of its frames at every hop: where they are whole, and who cuts them",
		Args:  command.Args(cobra.ExactArgs(2)),
	}, func(c *cobra.Command, l *lab.Lab, argv []string) error {
		proof, err := l.ProveLargesend(c.Context(), argv[0], argv[1])
		if err != nil {
			return err
		}
		return a.Answer(proof, func(p *report.Document) { printHops(p, proof) })
	})
}

func printHops(p *report.Document, proof lab.Proof) {
	hops := proof.Hops
	t := doc.NewTable("hops", doc.Left("hop"), doc.Right("frames"), doc.Right("median"), doc.Right("largest"), doc.Right("MTU"))
	for i := range hops[0].Classes {
		t.Columns = append(t.Columns, doc.Right(className(hops[0].Classes, i)))
	}
	var missed uint64
	for _, h := range hops {
		row := []string{hopName(h), strconv.FormatUint(h.Frames, 10), strconv.Itoa(h.Median), strconv.Itoa(h.Largest), strconv.Itoa(h.MTU)}
		for _, k := range h.Classes {
			row = append(row, strconv.FormatUint(k.Frames, 10))
		}
		t.AddTexts(row...)
		missed += h.Missed
	}
	p.Table(t)
	p.Line("")
	p.Line("Sizes are bytes of Ethernet frames; a frame above the MTU is one that a device further on cuts.")
	if c := proof.Cut; c != nil {
		p.Line("Large frames are whole at: %s; cut at: %s.", hopName(c.Whole), hopName(c.Small))
		p.Line("They are cut by %s.", c.By)
	}
	switch {
	case proof.Small() && proof.Narrow:
		p.Line("No frame is large: an interface sends packets that some element between systems is too small for, so " +
			"that the lab cuts them before the first cable.")
	case proof.Small():
		p.Line("%s lets no large frame go: mtu_bypass, chksum_offload and large_send of a port of its own decide that, "+
			"and a cable that loses frames.", proof.From)
	case proof.Whole():
		p.Line("Large frames are whole all the way: nothing on it cuts them.")
	}
	if h := proof.Joined; h != nil {
		p.Line("Frames are put together (large_receive) at: %s.", hopName(*h))
	}
	if missed > 0 {
		p.Line("%d frames passed too quickly to be counted.", missed)
	}
}

func className(classes []capture.Class, i int) string {
	if up := classes[i].UpTo; up > 0 {
		return "to " + strconv.Itoa(up)
	}
	return "above"
}

// hopName says where frames were seen, in the field's words.
func hopName(h capture.Hop) string {
	verb := "receives"
	if h.Sends {
		verb = "sends"
	}
	where := h.Where
	switch h.Place {
	case wire.Virtual, wire.Physical:
		return h.Node + " " + h.Adapter + " " + verb
	case wire.Hypervisor:
		where = "hypervisor switch of " + strings.TrimPrefix(where, "hyp:")
	case wire.SwitchPort:
		where = "Ethernet switch"
	}
	if h.Sends {
		return where + " sends to " + h.Node + " " + h.Adapter
	}
	return where + " receives from " + h.Node + " " + h.Adapter
}
