package printing

import (
	"strings"

	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/table"
)

// FormatLsattr prints a listing in its form.
func FormatLsattr(l *lsattr.Listing) []byte {
	switch l.Form.Kind {
	case lsattr.Four:
		return formatAttributes(table.ParseFields("attribute value description user_settable"), l)
	case lsattr.Names:
		names, values := namesAndValues(l)
		return []byte("#" + strings.Join(names, ":") + "\n" + strings.Join(values, ":") + "\n")
	case lsattr.Single:
		_, values := namesAndValues(l)
		return []byte("value\n\n" + strings.Join(values, "\n") + "\n")
	case lsattr.Allowed:
		var b strings.Builder
		for _, c := range l.Allowed {
			b.WriteString(c.String() + "\n")
		}
		return []byte(b.String())
	}
	return formatAttributes(l.Form.Fields, l)
}

func formatAttributes(f table.Fields, l *lsattr.Listing) []byte {
	return formatList(f, l.Form.Heading, len(l.Attributes), func(i int, name string) string {
		return cellOf(&l.Attributes[i], l.Attributes[i].Other, name)
	})
}

// namesAndValues are those of all attributes; a value that is not known is empty.
func namesAndValues(l *lsattr.Listing) (names, values []string) {
	for _, a := range l.Attributes {
		value := ""
		if a.Value != nil {
			value = *a.Value
		}
		names = append(names, a.Name)
		values = append(values, value)
	}
	return names, values
}
