package collect

import (
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote/become"
)

// reading is a command line about what is, not one that measures for a time.
var reading = parse.Lazy(`^\S+ (-|ent?[0-9])`)

// Withheld says whether a command line is one that root is answered, and that this
// host did not answer since it was not read as root.
func (m *Manifest) Withheld(line string) bool {
	answered := func(r Record) bool { return r.Line == line && r.Exit == 0 }
	if NotRoot(m.Gaps) == "" || !reading.Match([]byte(line)) || slices.ContainsFunc(m.Commands, answered) {
		return false
	}
	asked := func(a registry.Ask) bool { return program(a.Line) == program(line) }
	return slices.ContainsFunc(withheld(model.Platform(m.Platform)), asked)
}

// withheld are the commands of a platform that only root is answered: of a VIOS
// those that its restricted shell does not have.
func withheld(p model.Platform) (out []registry.Ask) {
	for _, e := range registry.Entries() {
		for _, a := range e.Asks {
			if p == model.AIX && a.On&registry.OnAIX != 0 && a.Refused || p == model.VIOS && a.On&registry.OnVIOS != 0 && a.Root {
				out = append(out, a)
			}
		}
	}
	return out
}

func program(line string) string {
	name, _, _ := strings.Cut(line, " ")
	return name
}

// Privilege holds what a login must be allowed to run as root, without a password, for
// some subcommands.
type Privilege struct {
	For      string   `json:"for"`
	Commands []string `json:"commands"` // full paths, as a sudoers file has them: * is any text
}

// Sudoers lists what an ordinary user needs to be allowed: first what reading needs,
// then what everything needs.
func Sudoers() []Privilege {
	read := Privilege{For: "collect, audit, show and plan on AIX; on Linux they need nothing"}
	for _, a := range withheld(model.AIX) {
		for _, dir := range []string{"/usr/bin/", "/usr/sbin/"} {
			read.Commands = append(read.Commands, dir+strings.ReplaceAll(a.Line, "{}", "*"))
		}
	}
	shell := Privilege{For: "apply, confirm, rollback, probe and bench: they send scripts to a shell of root, so this allows everything"}
	for _, dir := range []string{"/usr/bin/", "/bin/"} {
		shell.Commands = append(shell.Commands, dir+become.Shell)
	}
	return []Privilege{read, shell}
}
