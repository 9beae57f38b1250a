package pathmtu

import (
	"strconv"

	"seaworthy/inventory"
)

// carries is the largest IP packet that an element says it passes; false if it
// does not say.
func carries(el *inventory.Element) (int, bool) {
	return passing(el, func(a *inventory.Attr) *string { return a.Running })
}

// setForBoot is the next boot's setting of an element whose running value is
// unknown: most often that runs already.
func setForBoot(el *inventory.Element) (int, bool) {
	return passing(el, func(a *inventory.Attr) *string {
		if a.Running != nil {
			return nil
		}
		return a.NextBoot
	})
}

func passing(el *inventory.Element, which func(*inventory.Attr) *string) (int, bool) {
	if el == nil {
		return 0, false
	}
	value := func(name string) string {
		if a := el.Attrs[name]; a != nil {
			if v := which(a); v != nil {
				return *v
			}
		}
		return ""
	}
	if n, err := strconv.Atoi(value("mtu")); err == nil && n > 0 {
		return n, true
	}
	for _, name := range []string{"jumbo_frames", "use_jumbo_frame"} {
		switch value(name) {
		case "yes":
			return 9000, true
		case "no":
			return 1500, true
		}
	}
	return 0, false
}
