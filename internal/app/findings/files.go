package findings

import (
	"os"
	"path/filepath"

	"seaworthy/internal/collect"
)

// Files says in which saved file an output stands: host and command line → path, below the folder as the user named it.
type Files map[[2]string]string

// SavedIn looks for the outputs in folders of snapshots; of a host that is there twice the newer ones. What is not a folder,
// or cannot be read, adds nothing: its findings have no file.
func SavedIn(dirs []string) Files {
	files := Files{}
	taken := map[string]int64{}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		snapshots, _ := collect.Open(dir) // what is broken was named by the audit
		for _, s := range snapshots {
			started := s.Manifest.Started.UnixNano()
			if before, seen := taken[s.Manifest.Host]; seen && before > started {
				continue
			}
			taken[s.Manifest.Host] = started
			for _, r := range s.Manifest.Commands {
				if r.Stdout != "" {
					files[[2]string{s.Manifest.Host, r.Line}] = filepath.ToSlash(filepath.Join(s.Dir, r.Stdout))
				}
			}
		}
	}
	return files
}

// Of is the file of a command's output; empty if there is none.
func (f Files) Of(host, command string) string { return f[[2]string{host, command}] }
