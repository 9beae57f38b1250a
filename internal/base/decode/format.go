package decode

import (
	"fmt"
	"strconv"
	"strings"
)

// Format says why a file of one format cannot be read as another: nil if it is the same. Formats are named NAME/NUMBER, as
// seaworthy.plan/2; a release reads one number. What a user can do instead ends the sentence: "make a new plan".
func Format(has, reads, instead string) error {
	name, number := splitFormat(has)
	wanted, current := splitFormat(reads)
	switch {
	case has == reads:
		return nil
	case has == "":
		return fmt.Errorf("it names no format, expected %q", reads)
	case name != wanted || number == 0:
		return fmt.Errorf("its format is %q, expected %q", has, reads)
	case number < current:
		return fmt.Errorf("its format is %q, of an older release; this one reads %q: %s, or use the release that wrote it", has, reads, instead)
	}
	return fmt.Errorf("its format is %q, of a newer release; this one reads %q: use that release, or %s", has, reads, instead)
}

// splitFormat gives a format's name and number; 0 where it has none.
func splitFormat(format string) (name string, number int) {
	name, digits, _ := strings.Cut(format, "/")
	number, err := strconv.Atoi(digits)
	if err != nil || number < 1 {
		return name, 0
	}
	return name, number
}
