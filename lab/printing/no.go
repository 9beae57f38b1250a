package printing

import (
	"fmt"
	"strings"

	"seaworthy/internal/parse/aix/no"
)

// FormatNo prints tunables in their form, as AIX 7.2 does.
func FormatNo(t *no.Tunables) []byte {
	var b strings.Builder
	ruler := strings.Repeat("-", 80)
	if t.Form == no.List {
		fmt.Fprintf(&b, "%s\n%s\n     DEPENDENCIES\n%s\n", ruler, noHeading, ruler)
	}
	restricted := false
	for _, x := range t.Tunables {
		switch t.Form {
		case no.All:
			fmt.Fprintf(&b, "%25s = %s\n", x.Name, valueText(x.Current))
		case no.Named:
			fmt.Fprintf(&b, "%s = %s\n", x.Name, valueText(x.Current))
		case no.List:
			if x.Restricted && !restricted {
				b.WriteString("##Restricted tunables" + "\n")
			}
			restricted = x.Restricted
			if len(x.Name) > 25 {
				fmt.Fprintf(&b, "%s\n%26s", x.Name, "")
			} else {
				fmt.Fprintf(&b, "%-25s ", x.Name)
			}
			fmt.Fprintf(&b, "%-6s %-6s %-6s %-6s %-6s %-14s %4s\n%s\n", valueText(x.Current), valueText(x.Default), valueText(x.Boot),
				valueText(x.Min), valueText(x.Max), x.Unit, x.Type, ruler)
		}
	}
	return []byte(b.String())
}

const noHeading = "NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE"

// valueText is the value as printed, nothing where there is none.
func valueText(v *no.Value) string {
	if v == nil {
		return ""
	}
	return string(*v)
}
