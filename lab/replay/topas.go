package replay

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"seaworthy/bench"
	"seaworthy/lab/topology"
)

// topas prints the tree of an SEA while streams pass it, and adds it up.
func topas(ctx context.Context, r *runner, e *Experiment, out *Outcome, s *samples) (err error) {
	st, err := r.open(ctx, e.Topology)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	vios := ""
	for _, n := range st.system(e.From).Nodes {
		if n.Role == topology.VIOS {
			vios = n.Name
		}
	}
	if vios == "" {
		return fmt.Errorf("topology %s: %s has no VIOS", e.Topology, e.From)
	}
	blocks := r.blocks(e)
	for block := 1; block <= blocks; block++ {
		r.doing(e, "block %d of %d", block, blocks)
		x, err := st.experiment(e.From, e.To, "")
		if err != nil {
			return err
		}
		x.Name, x.Repetitions, x.Seed = e.ID, 1, r.Options.Seed
		w := r.workload(e, e.Workloads[0])
		w.Seconds = topasSeconds + 2 // topas looks within the measured time
		x.Workloads = []bench.Workload{w}
		seen := make(chan error, 1)
		var text string
		watch, stop := context.WithCancel(ctx)
		x.Progress = func(ev bench.Event) {
			if ev.Finished {
				return
			}
			go func() {
				var err error
				text, err = st.run(watch, vios, fmt.Sprintf("sleep 1; topas -E -i %d", topasSeconds))
				seen <- err
			}()
		}
		got, err := bench.Run(ctx, x)
		if got != nil {
			out.take(got)
		}
		if err != nil {
			stop()
			return err
		}
		err = <-seen
		stop()
		if err != nil {
			return err
		}
		for f, v := range treeFigures(parseTree(text)) {
			s.add(e.Variants[0].Name, f, block, v)
		}
	}
	return nil
}

const topasSeconds = 2

// treeRow is a line of topas -E: how deep it stands, what it is, its numbers.
type treeRow struct {
	depth                              int
	name, kind                         string
	kbps, inPack, outPack, kbIn, kbOut float64
}

var (
	treeLine = regexp.MustCompile(`^([ |\\-]*)(ent?\d+|lo0)(?: \(([^)]*)\))?\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$`)
	branch   = regexp.MustCompile(`\\--`)
)

// parseTree reads the rows that have all their numbers.
func parseTree(text string) []treeRow {
	var rows []treeRow
	for line := range strings.Lines(text) {
		m := treeLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		row := treeRow{name: m[2], kind: m[3]}
		if at := branch.FindStringIndex(m[1]); at != nil {
			row.depth = 1 + (at[0]-2)/3
		}
		whole := true
		for i, to := range []*float64{&row.kbps, &row.inPack, &row.outPack, &row.kbIn, &row.kbOut} {
			v, err := strconv.ParseFloat(m[4+i], 64)
			whole = whole && err == nil && v >= 0
			*to = v
		}
		if whole {
			rows = append(rows, row)
		}
	}
	return rows
}

// treeFigures adds up the tree of the first SEA: what stands below it without
// the control channel, and the ports below an EtherChannel.
func treeFigures(rows []treeRow) map[string]float64 {
	at := slices.IndexFunc(rows, func(r treeRow) bool { return r.kind == "SEA" })
	if at < 0 {
		return nil
	}
	sea := rows[at]
	var below, channel, members treeRow
	for i := at + 1; i < len(rows) && rows[i].depth > sea.depth; i++ {
		switch r := rows[i]; {
		case r.depth == sea.depth+1 && !strings.Contains(r.kind, "CTRL"):
			below.inPack, below.outPack = below.inPack+r.inPack, below.outPack+r.outPack
			if strings.Contains(r.kind, "EC") {
				channel = r
			}
		case r.depth == sea.depth+2:
			members.inPack, members.outPack = members.inPack+r.inPack, members.outPack+r.outPack
		}
	}
	out := map[string]float64{
		"sea_kbps": sea.kbps, "sea_kb_in": sea.kbIn, "sea_kb_out": sea.kbOut, "sea_in_pack": sea.inPack, "sea_out_pack": sea.outPack,
		"below_in_pack": below.inPack, "below_out_pack": below.outPack,
	}
	share := func(figure string, part, whole float64) {
		if whole > 0 {
			out[figure] = part / whole
		}
	}
	share("kbps_over_parts", sea.kbps, sea.kbIn+sea.kbOut)
	share("sea_over_below", sea.inPack+sea.outPack, below.inPack+below.outPack)
	if channel.name != "" {
		out["channel_in_pack"], out["members_in_pack"] = channel.inPack, members.inPack
		share("channel_over_members", channel.inPack+channel.outPack, members.inPack+members.outPack)
	}
	return out
}
