package commands

import "testing"

// A command that a lab answers is not among those that it refuses with a reason.
func TestRefusedAreNotAnswered(t *testing.T) {
	answered := table()
	for name, why := range readYAML(unsupportedText, map[string]reasons{}) {
		c, both := answered[name]
		if both && (why.AIX != "" && c.aix != nil || why.VIOS != "" && c.vios != nil) {
			t.Errorf("%s is answered, and refused with %+v", name, why)
		}
	}
}
