package expr

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/audit/defect"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// trunkPriority gives a trunk adapter's number: of several for one VLAN the lowest
// bridges.
func trunkPriority(s *Session, e *graph.Element) (int, error) {
	of := e.Is
	if sea := e.Of.Elements[of.MemberOf]; of.Priority == nil && sea != nil && sea.Priority != nil {
		of = sea // it is printed once for all trunk adapters of an SEA
	}
	if of.Priority == nil {
		return 0, e.Missing("trunk priority", "entstat -d "+e.Name)
	}
	s.evidence(e, "entstat -d "+of.Name, "%s Priority: %d", of.Name, *of.Priority)
	return *of.Priority, nil
}

func guestOf(s *Session, e *graph.Element) (string, error) {
	g, how := e.Is.Guest, "virsh dumpxml"
	if g == nil {
		return "", e.Missing("the virtual machine that it leads to", how)
	}
	if g.Learned {
		how = "bridge fdb show"
	}
	s.evidence(e, how, "%s is an interface of virtual machine %s", e.Name, g.Name)
	return g.Name, nil
}

// hasFlag says whether an interface or driver flag is set. Of a damaged list a flag
// that is not in it is not known.
func hasFlag(s *Session, e *graph.Element, name string) (bool, error) {
	has := flagged(e.Is.Flags, name)
	command := "entstat -d " + e.Name
	if e.Is.Kind == model.Interface {
		command = "ifconfig " + e.Name
	}
	switch {
	case len(e.Is.Flags) == 0:
		return false, e.Missing("flags", command)
	case e.Is.FlagsCut && !has:
		return false, e.Missing("whether "+name+" is set: the list of flags is damaged", command)
	}
	s.evidence(e, command, "%s flags: %s", e.Name, strings.Join(e.Is.Flags, ","))
	return has, nil
}

// flagRead says whether it was read that a flag is set, or that it is not.
func flagRead(s *Session, e *graph.Element, name string) (bool, error) {
	return len(e.Is.Flags) > 0 && (!e.Is.FlagsCut || flagged(e.Is.Flags, name)), nil
}

// flagged looks for a flag, also for one that a narrow terminal broke in two.
func flagged(flags []string, name string) bool {
	for i, f := range flags {
		if strings.EqualFold(f, name) || i > 0 && strings.EqualFold(flags[i-1]+f, name) {
			return true
		}
	}
	return false
}

// ifconfigRead says whether the interface's flags, which only ifconfig prints,
// were read.
func ifconfigRead(e *graph.Element) bool {
	return slices.ContainsFunc(e.Is.Flags, func(f string) bool { return strings.EqualFold(f, "UP") || strings.EqualFold(f, "BROADCAST") })
}

// factOf gives a figure: one that no snapshot holds, such as a round-trip time
// or what the site wants of a network, else one that the host's outputs give, of
// the element or of all of it (Figures).
func factOf(s *Session, e *graph.Element, name string) (float64, error) {
	for _, key := range []string{e.Ref().String() + " " + name, e.Host + " " + name} {
		if v, ok := s.Measured[key]; ok {
			s.evidence(e, "", "%s %s = %g, as given", e.Name, name, v)
			return v, nil
		}
	}
	if v, at, ok := ofInterface(s, e, name); ok {
		s.evidence(e, "", "%s %s = %g, as given", at, name, v)
		return v, nil
	}
	for _, key := range []string{e.Name + " " + name, name} {
		v, ok := e.Of.Figures[key]
		if !ok {
			continue
		}
		s.record(finding.Evidence{Host: e.Host, Command: v.From.Command, Line: v.From.Line,
			Text: fmt.Sprintf("%s = %g: %s", name, v.Value, v.From.Text)})
		return v.Value, nil
	}
	what := strings.ReplaceAll(name, "_", " ")
	if from := s.Catalog.Fact(name).From; from != "" {
		return 0, e.Missing(what, from+", or --fact "+name)
	}
	return 0, e.Missing(what+", which no snapshot holds", "--fact "+name)
}

// ofInterface gives what was given of an interface of a host where the host's options ask for it: the largest, of several.
func ofInterface(s *Session, e *graph.Element, name string) (value float64, at string, ok bool) {
	if e.Kind != "tunables" && e.Kind != "host" {
		return 0, "", false
	}
	for key, v := range s.Measured {
		place, fact, _ := strings.Cut(key, " ")
		host, element, named := strings.Cut(place, ":")
		if !named || host != e.Host || fact != name || e.Of.Elements[element] == nil {
			continue
		}
		if !ok || v > value || v == value && element < at {
			value, at, ok = v, element, true
		}
	}
	return value, at, ok
}

// isInstalled says whether one of several APARs, separated by "|", is on the host.
func isInstalled(s *Session, e *graph.Element, names string) (bool, error) {
	var unasked string
	for name := range strings.SplitSeq(names, "|") {
		there, asked := e.Of.Fixes[name]
		switch {
		case there:
			s.evidence(e, "instfix -ik "+name, "all filesets for %s are installed", name)
			return true, nil
		case !asked && unasked == "":
			unasked = name
		}
	}
	if unasked != "" {
		return false, e.Missing("fix "+unasked, "instfix -ik "+unasked)
	}
	s.evidence(e, "instfix -ik", "not installed: %s", strings.ReplaceAll(names, "|", ", "))
	return false, nil
}

// lacksFix says that none of several APARs, separated by "|", is known to be on the
// host. A defect that destroys data must not wait for an answer of instfix.
func lacksFix(s *Session, e *graph.Element, names string) (bool, error) {
	there, err := isInstalled(s, e, names)
	if err != nil {
		s.evidence(e, "instfix -ik", "not known to be installed: %s", strings.ReplaceAll(names, "|", ", "))
	}
	return !there, nil
}

// levelOf returns what the host's software, or of firmware the element's, says of a known defect.
func levelOf(s *Session, e *graph.Element, id string) (defect.Level, error) {
	known := s.Defects[id]
	if known == nil {
		return defect.Level{}, e.Missing("known defect "+id+", which this program does not have", "seaworthy defects ls")
	}
	if len(known.Affected.Firmware) > 0 && e.Is != nil && e.Is.Kind != "" {
		return defect.FirmwareOf(known, e.Of, e.Is), nil
	}
	return defect.LevelOf(known, e.Of), nil
}

// affectedBy says whether the host's software has a known defect. Where no source says which
// levels have it, none is taken to: see suspectedOf.
func affectedBy(s *Session, e *graph.Element, id string) (bool, error) {
	level, err := levelOf(s, e, id)
	switch {
	case err != nil:
		return false, err
	case level.State == defect.NotRead && level.Unpublished:
		return false, nil
	case level.State == defect.NotRead:
		return false, e.Missing(level.Why, level.Command)
	case level.State == defect.Affected:
		s.evidence(e, level.Command, "%s: has %s", level.Why, id)
		return true, nil
	}
	s.evidence(e, level.Command, "%s", level.Why)
	return false, nil
}

// suspectedOf says whether the host's software may have a known defect: nothing that was read
// excludes or cures it.
func suspectedOf(s *Session, e *graph.Element, id string) (bool, error) {
	level, err := levelOf(s, e, id)
	if err != nil {
		return false, err
	}
	if level.State == defect.NotRead {
		s.evidence(e, level.Command, "not known: %s", level.Why)
	}
	return level.State == defect.Affected || level.State == defect.NotRead, nil
}

// loggedErrors counts the entries of AIX's error log whose label and description have a form: those of the element;
// of a host all, with the name of their resource before them.
func loggedErrors(s *Session, e *graph.Element, form string) (int, error) {
	if e.Of.ErrorLog == nil {
		return 0, e.Missing("error log", "errpt")
	}
	pattern, err := regexp.Compile(form)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, x := range e.Of.ErrorLog {
		text := strings.TrimSpace(x.Label + " " + x.Description)
		if ofElement := e.Is != nil && e.Is.Kind != ""; !ofElement {
			text = x.Resource + " " + text
		} else if x.Resource != e.Name {
			continue
		}
		if !pattern.MatchString(text) {
			continue
		}
		count += x.Count
		s.evidence(e, "errpt", "%s %s %s, entries: %d", x.Resource, x.Label, x.Description, x.Count)
	}
	return count, nil
}

// runsService says whether one of several subsystems of AIX, separated by "|", is active.
func runsService(s *Session, e *graph.Element, names string) (bool, error) {
	if e.Of.Services == nil {
		return false, e.Missing("subsystems that run", "lssrc -a")
	}
	for name := range strings.SplitSeq(names, "|") {
		if slices.Contains(e.Of.Services, name) {
			s.evidence(e, "lssrc -a", "%s is active", name)
			return true, nil
		}
	}
	return false, nil
}

// interimFixBegins says whether an interim fix in force has a label that begins with a text.
func interimFixBegins(s *Session, e *graph.Element, begins string) (bool, error) {
	if e.Of.InterimFixes == nil {
		return false, e.Missing("interim fixes", "emgr -l")
	}
	for _, x := range e.Of.InterimFixes {
		if x.Active() && strings.HasPrefix(x.Label, begins) {
			s.evidence(e, "emgr -l", "interim fix %s", x.Label)
			return true, nil
		}
	}
	return false, nil
}

func hasFact(s *Session, e *graph.Element, name string) (bool, error) {
	_, err := factOf(s, e, name)
	return err == nil, nil
}

// levelWithin says whether the host's level is from (included) to below.
func levelWithin(s *Session, e *graph.Element, from, below string) (bool, error) {
	have := e.Of.Level
	if e.Of.Platform == model.VIOS {
		have = e.Of.IOSLevel
	}
	if have == "" {
		return false, e.Missing("software level", "oslevel -s, ioslevel")
	}
	a, err := knowledge.CompareLevels(have, from)
	b, err2 := knowledge.CompareLevels(have, below)
	if err := cmp.Or(err, err2); err != nil {
		return false, e.Missing(err.Error(), "")
	}
	s.evidence(e, "oslevel -s", "level %s", have)
	return a >= 0 && b < 0, nil
}

// Relations of the graph that leave evidence, or that depend on the options of
// the audit.

// peersOf gives the other ends of the paths that start or end at e.
func peersOf(s *Session, e *graph.Element) ([]*graph.Element, error) {
	var out []*graph.Element
	for _, p := range s.Paths {
		for _, pair := range [][2]model.Ref{{p.From, p.To}, {p.To, p.From}} {
			if pair[0] == e.Ref() {
				if x := s.graph.At(pair[1]); x != nil && !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, e.Missing("its peer: no path was given", "--path")
	}
	return out, nil
}

// unreadClients gives the clients of an SEA that only an HMC knows.
func unreadClients(s *Session, sea *graph.Element) ([]*graph.Element, error) {
	list := graph.UnreadClients(sea)
	for _, e := range list {
		if e.Platform != "" {
			s.evidence(sea, "", "%s %s, by its VLAN a client: %s says that it runs %s", e.Host, e.Name, e.Source, e.Platform)
		}
	}
	return list, nil
}

// listedAdapters gives all virtual Ethernet adapters of a managed system, from an HMC.
func listedAdapters(s *Session, e *graph.Element) ([]*graph.Element, error) {
	list, command, err := graph.Listed(e)
	if err == nil {
		s.evidence(e, command, "virtual Ethernet adapters of all partitions of %s: %d", e.Machine, len(list))
	}
	return list, err
}
