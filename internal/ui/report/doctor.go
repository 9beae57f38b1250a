package report

import (
	"fmt"
	"strings"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
)

// Doctor says what holds on hosts and, for what does not, what follows. With
// all it lists what holds too.
func Doctor(d *Document, list []*doctor.Examination, all bool) {
	t := doc.NewTable("hosts", doc.Left("host"), doc.Left("login"), doc.Left("level"), doc.Right("held"), doc.Right("broken"),
		doc.Right("unknown"), doc.Right("untested"))
	for _, e := range list {
		if e.Error != "" {
			t.AddTexts(e.Host, "-", "-", "-", "-", "-", "-")
			continue
		}
		t.Add(e.Host, Dash(e.Login), Dash(e.Level), e.Count(knowledge.Held), e.Count(knowledge.Broken), e.Count(knowledge.Unknown),
			e.Count(knowledge.Untested))
	}
	d.Table(t)
	for _, e := range list {
		d.Prose("not read", e.Error)
	}
	results := grouped(list, all)
	for _, r := range results {
		addAssumption(d, r)
	}
	d.Table(assumptionsTable(results))
}

// addAssumption says what an assumption is, on which hosts, and what follows.
func addAssumption(d *Document, r onHosts) {
	d.Gap()
	d.Entry(doc.Textf("%s  %s", doc.Styled(verdictStyles[r.Verdict], string(r.Verdict)), r.ID), r.Statement)
	d.Prose("hosts", strings.Join(r.Hosts, ", "))
	if r.Verdict == knowledge.Held || r.Verdict == knowledge.Untested {
		d.Prose("witness", doctor.Witness(r.Result.Witness, r.Result.Source))
		return
	}
	if r.Why != "" {
		d.Prose("not known", r.Why)
	} else {
		d.Prose("tested", fmt.Sprintf("%s: %s", r.Command, doctor.Brief(r.Answer)))
	}
	unknown := r.Verdict == knowledge.Unknown
	for _, f := range r.Features {
		other := f.Broken == knowledge.OtherWay
		does := "refuses"
		switch {
		case other && unknown:
			continue
		case unknown:
			does = "begins all the same; if it does not hold"
		case other:
			does = "goes on"
		}
		d.Prose("effect", fmt.Sprintf("%s %s: %s", doctor.Name(f.Feature), does, f.Why))
	}
}

// assumptionsTable has a row for each assumption and host, for programs that read tables.
func assumptionsTable(results []onHosts) *doc.Table {
	t := doc.NewTable("assumptions", doc.Left("host"), doc.Left("verdict"), doc.Left("assumption"), doc.Left("statement"), doc.Left("why"))
	t.Media = doc.Data
	for _, r := range results {
		for _, h := range r.Hosts {
			t.Add(h, r.Verdict, r.ID, r.Statement, r.Why)
		}
	}
	return t
}

// onHosts is a result that several hosts have.
type onHosts struct {
	doctor.Result
	Hosts []string
}

// grouped joins the hosts that have the same verdict on an assumption: what is
// broken first, then what is not known and, with all, the rest.
func grouped(list []*doctor.Examination, all bool) []onHosts {
	var out []onHosts
	for _, v := range []knowledge.Verdict{knowledge.Broken, knowledge.Unknown, knowledge.Untested, knowledge.Held} {
		if v == knowledge.Untested && !all {
			break
		}
		at := map[string]int{}
		for _, e := range list {
			for _, r := range e.Results {
				i, known := at[r.ID]
				switch {
				case r.Verdict != v:
				case known:
					out[i].Hosts = append(out[i].Hosts, e.Host)
				default:
					at[r.ID] = len(out)
					out = append(out, onHosts{r, []string{e.Host}})
				}
			}
		}
	}
	return out
}

// verdictStyles hold what verdicts look like on a terminal.
var verdictStyles = map[knowledge.Verdict]doc.Style{
	knowledge.Held: doc.Good, knowledge.Broken: doc.Bad, knowledge.Unknown: doc.Warn, knowledge.Untested: doc.Dim,
}

// Sudoers says what logins must be allowed as lines of a sudoers file, for a
// user named seaworthy: first to read, then for everything.
func Sudoers(d *Document, list []collect.Privilege) {
	for i, x := range list {
		alias := "SEAWORTHY_READ"
		if i > 0 {
			alias = "SEAWORTHY_ALL"
			d.Gap()
		}
		d.Line("# %s", x.For)
		d.Line("Cmnd_Alias %s = \\", alias)
		for k, command := range x.Commands {
			d.Line("    %s%s", escaped.Replace(command), choose(k == len(x.Commands)-1, "", ", \\"))
		}
		d.Line("seaworthy ALL = (root) NOPASSWD: %s", alias)
	}
}

// escaped are the characters that mean something in a sudoers file.
var escaped = strings.NewReplacer(`\`, `\\`, ",", `\,`, ":", `\:`, "=", `\=`)
