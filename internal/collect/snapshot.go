package collect

import (
	"time"

	"seaworthy/internal/inventory/model"
)

// SchemaSnapshot names the format of manifest.json.
const SchemaSnapshot = "seaworthy.snapshot/1"

// PlatformHMC is the platform of a snapshot that holds what an HMC said about
// the partitions of its systems. It is not a host: what it says joins those that
// were read.
const PlatformHMC = "hmc"

// Manifest describes one host's snapshot folder: what ran, when, and what
// became of it. Raw outputs are beside it, one file per command.
type Manifest struct {
	Schema   string    `json:"schema"`
	Host     string    `json:"host"`     // the name the user gave
	Platform string    `json:"platform"` // aix, vios, linux or unknown
	User     string    `json:"user"`     // who the commands ran as; by viosvrcmd the login to the HMC
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	// Environment went in front of every line, and is left out of Record.Line.
	Environment string      `json:"environment,omitempty"`
	Commands    []Record    `json:"commands"`
	Gaps        []model.Gap `json:"gaps,omitempty"`  // what the host did not say, and why
	Error       string      `json:"error,omitempty"` // the host was not read to its end
}

// Record is one command of a snapshot.
type Record struct {
	ID         string    `json:"id"`                  // catalogued name, e.g. "entstat-d", "lsattr-El"
	Element    string    `json:"element"`             // entN or enN it was about, or empty
	Attribute  string    `json:"attribute,omitempty"` // lsattr-Rl: the attribute asked for
	Line       string    `json:"line"`                // as run, without the environment
	Via        string    `json:"via,omitempty"`       // "oem_setup_env", "sudo": run as root through it; "viosvrcmd": by the HMC
	Stdout     string    `json:"stdout"`              // file name in this folder, empty if nothing was printed
	Stderr     string    `json:"stderr,omitempty"`
	Exit       int       `json:"exit"`
	Start      time.Time `json:"start"`
	DurationMS int64     `json:"duration_ms"`
	Truncated  bool      `json:"truncated,omitempty"`
	Error      string    `json:"error,omitempty"` // the command did not run to its end
	From       string    `json:"from,omitempty"`  // imported: the file, and the line its text begins at
}

// Snapshot is one host's folder, read back.
type Snapshot struct {
	Dir      string // empty if it was never saved
	Manifest Manifest

	top    string            // the folder that the user named, Dir or one above it
	memory map[string][]byte // its files, if it was never saved
}
