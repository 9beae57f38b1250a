package ticket

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote/shellword"
)

// Write writes CHANGE.md and a folder of scripts per host into dir, which is
// made if it is not there. Files of an earlier plan are replaced; a host's
// folder of an earlier plan that this one does not have is an error, since its
// scripts would look as if they belonged to this change.
func Write(dir string, p *plan.Plan, e Evidence) error {
	if err := write(dir, p, nil, e); err != nil {
		return fmt.Errorf("scripts of plan %s: %w", p.ID, err)
	}
	return nil
}

// write writes what is carried out after the plan before, and its reboots.
func write(dir string, p, before *plan.Plan, e Evidence) error {
	names := folders(p.Hosts)
	made, err := fileio.MkdirAll(dir)
	if err != nil {
		return err
	}
	defer made.Undo() // if nothing could be written
	if err := foreign(dir, names, p.Next != nil); err != nil {
		return err
	}
	if p.Next != nil {
		if err := write(filepath.Join(dir, afterReboot), p.Next, p, Evidence{Read: e.Read}); err != nil {
			return err
		}
	}
	text, err := Ticket(p, before, e)
	if err == nil {
		err = fileio.Write(filepath.Join(dir, "CHANGE.md"), []byte(text))
	}
	if err != nil {
		return err
	}
	for _, h := range p.Hosts {
		scripts, err := Scripts(p, h)
		if err != nil {
			return err
		}
		for name, text := range scripts {
			if err := writeScript(filepath.Join(dir, names[h]), name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeScript writes a script that root runs: nobody else can read or change it, nor
// put another in its place.
func writeScript(folder, name, text string) error {
	made, err := fileio.MkdirAll(folder)
	if err != nil {
		return err
	}
	if err := fileio.Close(folder); err != nil {
		return err
	}
	if err := fileio.WriteScript(filepath.Join(folder, name), []byte(text)); err != nil {
		made.Undo()
		return err
	}
	return nil
}

// afterReboot is the folder of what can be done only after a plan's reboots.
const afterReboot = "AFTER-REBOOT"

// foreign looks for scripts of hosts that the plan does not have, and for what
// comes after reboots that it does not need.
func foreign(dir string, names map[string]string, reboots bool) error {
	if !reboots {
		next := filepath.Join(dir, afterReboot)
		if _, err := os.Stat(filepath.Join(next, "CHANGE.md")); err == nil {
			return fmt.Errorf("%s is of another plan: remove it, or name another folder", next)
		}
	}
	own := map[string]bool{}
	for _, n := range names {
		own[n] = true
	}
	old, err := filepath.Glob(filepath.Join(escape(dir), "*", "implement.sh"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if host := filepath.Dir(path); !own[filepath.Base(host)] {
			return fmt.Errorf("%s is of another plan: remove it, or name another folder", host)
		}
	}
	return nil
}

// escape takes the meaning out of a pattern's characters.
func escape(path string) string {
	return regexp.MustCompile(`[*?\[\\]`).ReplaceAllString(path, `\$0`)
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._-]|^[.-]`)

var (
	//go:embed scripts.sh.tmpl
	scriptsText string
	scripts     = template.Must(template.New("").Funcs(template.FuncMap{
		"quote": shellword.Quote, "comment": task.Comment,
	}).Parse(scriptsText))
)

// Scripts gives a host's scripts by file name. Steps carry the numbers they
// have in the plan; without arguments a script takes all of this host's.
func Scripts(p *plan.Plan, host string) (map[string]string, error) {
	steps, places := p.Of(host)
	var functions, reading strings.Builder
	var all []string
	for i, s := range steps {
		functions.WriteString("\n" + s.Functions(places[i]))
		s.Verify = lasting(p, places[i]-1)
		reading.WriteString("\n" + s.Functions(places[i]))
		all = append(all, fmt.Sprint(places[i]))
	}
	if err := ownName(p, host); err != nil {
		return nil, err
	}
	as := "root"
	if len(steps) > 0 && steps[0].Platform == model.VIOS {
		as = "root (on a VIOS: log in as padmin, oem_setup_env, then sh)"
	}
	is, known := identity(p, host)
	with := map[string]any{
		// What was begun is noted by plan: another one has the same numbers.
		"Plan": p, "Digest": string(p.ID), "Host": host, "Known": known, "Adapter": is.Element, "MAC": is.MAC, "Node": is.Node,
		"As": as, "All": strings.Join(all, " "), "Prelude": task.Prelude,
		"Functions": functions.String(), "Reading": reading.String(), "Cautions": cautions(steps),
		"Manual": slices.DeleteFunc(manual(p), func(l leg) bool { return len(places) == 0 || places[len(places)-1] < l.From }),
	}
	out := map[string]string{}
	for _, name := range []string{"implement.sh", "verify.sh", "backout.sh"} {
		var b strings.Builder
		if err := scripts.ExecuteTemplate(&b, name, with); err != nil {
			return nil, err
		}
		out[name] = b.String()
	}
	return out, nil
}

// lasting are a step's checks that still hold when the plan has been carried
// out: not those of values that a later step sets again, as a failback does.
func lasting(p *plan.Plan, i int) []task.Check {
	var out []task.Check
	for _, c := range p.Steps[i].Verify {
		again := slices.ContainsFunc(p.Steps[i+1:], func(s plan.Step) bool {
			return s.Host == p.Steps[i].Host && s.Element == p.Steps[i].Element &&
				slices.ContainsFunc(s.Verify, func(o task.Check) bool { return o.Attr == c.Attr && o.Element == c.Element })
		})
		if !again {
			out = append(out, c)
		}
	}
	return out
}
