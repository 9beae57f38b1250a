package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"seaworthy/lab/rootfs"
)

// Inittab are the commands of init's table, which is a file of the node.
var Inittab = []string{"mkitab", "rmitab", "lsitab", "telinit"}

// inittab answers one of them: mkitab [-i Identifier] Entry, rmitab Identifier,
// lsitab -a | Identifier, telinit Level | q.
func inittab(name string, args []string) int {
	err := errors.New("only root may do this")
	if !rootfs.IsOrdinary(User()) || name == "lsitab" {
		err = inittabOf(rootfs.InittabFile, name, args)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 1
	}
	return 0
}

func inittabOf(file, name string, args []string) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	entries := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	find := func(id string) int {
		return slices.IndexFunc(entries, func(e string) bool { return strings.HasPrefix(e, id+":") })
	}
	at := len(entries)
	if name == "mkitab" && len(args) == 3 && args[0] == "-i" {
		at = find(args[1]) + 1
		if at == 0 {
			return fmt.Errorf("there is no entry %s", args[1])
		}
		args = args[2:]
	}
	switch {
	case name == "lsitab" && slices.Equal(args, []string{"-a"}):
		_, err = os.Stdout.Write(text)
		return err
	case len(args) != 1:
		return errors.New("usage: mkitab [-i Identifier] Identifier:RunLevel:Action:Command | rmitab Identifier | " +
			"lsitab {-a | Identifier} | telinit {q | 2}")
	case name == "telinit" && slices.Contains([]string{"q", "Q", "2"}, args[0]):
		return nil // init reads its table; what runs once does so when the level is entered
	case name == "telinit":
		return fmt.Errorf("run level %s is not in this lab", args[0])
	}
	id, rest, _ := strings.Cut(args[0], ":")
	there := find(id)
	switch {
	case name == "mkitab" && (id == "" || len(id) > 14 || strings.Count(rest, ":") < 2):
		return fmt.Errorf("entry %q: expected Identifier:RunLevel:Action:Command", args[0])
	case name == "mkitab" && there >= 0:
		return fmt.Errorf("there is an entry %s already", id)
	case name == "mkitab":
		entries = slices.Insert(entries, at, args[0])
	case there < 0:
		return fmt.Errorf("there is no entry %s", args[0])
	case name == "lsitab":
		fmt.Println(entries[there])
		return nil
	default:
		entries = slices.Delete(entries, there, there+1)
	}
	return os.WriteFile(file, []byte(strings.Join(entries, "\n")+"\n"), 0o644)
}
