// Messages of kernels that are facts about a host.

package knowledge

// Message is a kind of line in the log of a Linux kernel. How many lines of a log are
// of that kind is a fact, which rules ask for by its name.
type Message struct {
	Fact    string `yaml:"fact" json:"fact"`
	Pattern string `yaml:"pattern" json:"pattern"` // regular expression of a part of the line
}
