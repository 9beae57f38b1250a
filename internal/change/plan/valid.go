package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// valid checks a wanted value: against what the host itself allows (lsattr
// -R) if it said so, else against the catalogue.
func valid(attr *knowledge.Attribute, have *model.Attr, value string) error {
	if strings.ContainsAny(value, "\n\r\x00") {
		return fmt.Errorf("value %q of %s has a line end in it", value, attr.Name)
	}
	if len(have.Allowed) > 0 {
		for _, a := range have.Allowed {
			if a == value || within(a, value) {
				return nil
			}
		}
		return fmt.Errorf("the host allows %s for %s, not %s", strings.Join(have.Allowed, ", "), attr.Name, value)
	}
	if len(attr.Values) > 0 && !slices.Contains(attr.Values, value) && value != "" {
		return fmt.Errorf("%s can be %s, not %s", attr.Name, strings.Join(attr.Values, ", "), value)
	}
	if attr.Min != nil || attr.Max != nil {
		n, err := strconv.ParseInt(value, 0, 64)
		switch {
		case err != nil && value != "":
			return fmt.Errorf("%s is a number, not %s", attr.Name, value)
		case err == nil && attr.Min != nil && n < *attr.Min:
			return fmt.Errorf("%s is at least %d, not %s", attr.Name, *attr.Min, value)
		case err == nil && attr.Max != nil && n > *attr.Max:
			return fmt.Errorf("%s is at most %d, not %s", attr.Name, *attr.Max, value)
		}
	}
	return nil
}

// namesElements checks a value of an attribute that names elements of the host, as a
// SEA's pvid_adapter does: what is named must be there.
func namesElements(h *model.Host, have *model.Attr, value string) error {
	names := func(s string) bool {
		return s != "" && !slices.ContainsFunc(strings.Split(s, ","), func(n string) bool { return h.Elements[n] == nil })
	}
	if names(have.Current()) && value != "" && !names(value) {
		return fmt.Errorf("%s names what %s has, and %s is not there%s", have.Name, h.Name, value,
			didYouMean(value, slices.Collect(maps.Keys(h.Elements))))
	}
	return nil
}

// within reads a range as lsattr -R prints it: 60...65535 (+1).
func within(allowed, value string) bool {
	lo, rest, ok := strings.Cut(allowed, "...")
	if !ok {
		return false
	}
	hi, step, _ := strings.Cut(rest, " (+")
	n, err1 := strconv.ParseInt(value, 0, 64)
	l, err2 := strconv.ParseInt(strings.TrimSpace(lo), 0, 64)
	h, err3 := strconv.ParseInt(strings.TrimSpace(hi), 0, 64)
	if err1 != nil || err2 != nil || err3 != nil || n < l || n > h {
		return false
	}
	if s, err := strconv.ParseInt(strings.TrimSuffix(step, ")"), 0, 64); err == nil && s > 0 {
		return (n-l)%s == 0
	}
	return true
}

// didYouMean asks for the name that a misspelt one is most like; empty if none is
// like it. Another number is another thing, no slip.
func didYouMean(name string, there []string) string {
	best, least := "", 3
	if len(name) < 5 {
		least = 2
	}
	slices.Sort(there)
	for _, t := range there {
		n := slip(strings.ToLower(name), strings.ToLower(t))
		numbered := len(name) == len(t) && strings.TrimRight(name, "0123456789") == strings.TrimRight(t, "0123456789")
		if !numbered && n < least {
			best, least = t, n
		}
	}
	if best == "" {
		return ""
	}
	return ": is " + best + " meant?"
}

// ofAnotherKind says of an attribute that an element lacks which one may be meant:
// one with almost the same name, or whose attribute it is.
func (b *planBuilder) ofAnotherKind(name string, el *model.Element) string {
	if like := didYouMean(name, slices.Collect(maps.Keys(el.Attrs))); like != "" {
		return like
	}
	for _, kind := range []model.Kind{model.Interface, model.SEA, model.EtherChannel, model.Physical, model.Virtual} {
		if _, ok := b.attrs.Attribute(string(kind), name); ok && kind != el.Kind {
			return fmt.Sprintf(" (it is one of a %s)", kind)
		}
	}
	return ""
}

// slip is the number of letters of two names, or of parts of them, between what
// begins and what ends alike: small if one was mistyped at one place.
func slip(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
}
