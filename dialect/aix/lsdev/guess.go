package lsdev

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/fields"
)

var (
	physlocShape = dialect.Lazy(`^U[0-9A-Z]{4,}\.[0-9A-Z]+(?:[.-][0-9A-Za-z]+)*$`)
)

// isName tells a device's name.
func isName(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '/':
		case i > 0 && (c >= '0' && c <= '9' || c == '.' || c == ':' || c == '#' || c == '-'):
		default:
			return false
		}
	}
	return word != ""
}

// isLocation tells a location code of AIX: 00-00, 05-08-00-3,0.
func isLocation(word string) bool {
	if len(word) < 5 || word[2] != '-' {
		return false
	}
	for _, i := range [4]int{0, 1, 3, 4} {
		if c := word[i]; !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	for i := 5; i < len(word); i++ {
		c := word[i]
		inside := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == ',' || c == '.'
		if !inside && c != '-' || i == 5 && c != '-' || c == '-' && (i+1 == len(word) || word[i+1] == '-') {
			return false
		}
	}
	return true
}

var columnNames = map[string]bool{
	"name": true, "status": true, "location": true, "description": true,
	"class": true, "subclass": true, "type": true, "physloc": true,
	"parent": true, "state": true, "chgstatus": true, "ddins": true,
	"devno": true, "prefix": true, "connwhere": true, "uniquetype": true,
	"PdDvLn": true, "detectable": true, "desc": true, "run": true,
}

func known(name string) bool { return columnNames[name] }

var classes = map[string]bool{
	"adapter": true, "if": true, "disk": true, "driver": true, "bus": true,
	"pseudo": true, "memory": true, "processor": true, "sys": true,
	"planar": true, "tcpip": true, "logical_volume": true, "tape": true,
	"cdrom": true, "aio": true, "lvm": true, "pty": true, "tty": true,
	"concurrent": true, "container": true, "pwr_mgt": true, "cluster": true,
	"posix_aio": true, "keyboard": true, "mouse": true, "printer": true,
	"rcm": true, "adsp": true, "dlc": true, "diskette": true, "enclosure": true,
	"iscsi": true, "lft": true, "gxme": true, "graphics": true, "array": true,
	"rwoptical": true, "repository": true, "media": true, "usbif": true,
}

// guess finds the list that -F was given from the values: the separator that
// every line has, and what each column holds.
func guess(lines []string) (fields.Spec, bool) {
	if len(lines) == 0 {
		return fields.Spec{}, false
	}
	for _, sep := range []string{":", ";", "|", "!"} {
		n := len(lines[0])
		for _, l := range lines {
			n = min(n, strings.Count(l, sep))
		}
		if n == 0 || n > len(columnNames) {
			continue
		}
		columns := make([][]string, n+1)
		for _, l := range lines {
			for k, v := range strings.SplitN(strings.TrimRight(l, "\r"), sep, n+1) {
				columns[k] = append(columns[k], v)
			}
		}
		if !all(columns[0], isName) {
			continue
		}
		return fields.Parse(strings.Join(nameColumns(columns), sep)), true
	}
	digits := 0
	for _, l := range lines {
		if !isName(l) {
			return fields.Spec{}, false
		}
		if c := l[len(l)-1]; c >= '0' && c <= '9' {
			digits++
		}
	}
	return fields.Parse("name"), digits*2 >= len(lines)
}

func nameColumns(columns [][]string) []string {
	names := []string{"name"}
	taken := map[string]bool{"name": true}
	last := len(columns) - 1
	for k := 1; k <= last; k++ {
		name := ""
		switch c := columns[k]; {
		case mostly(c, isStatus):
			name = "status"
		case mostly(c, func(v string) bool { return classes[v] }):
			name = "class"
		case filled(c) && mostly(c, orEmpty(isLocation)):
			name = "location"
		case filled(c) && mostly(c, orEmpty(physlocShape.MatchString)):
			name = "physloc"
		case k == last && some(c, isText):
			name = "description"
		case names[k-1] == "class" && last > k:
			name = "subclass"
		case filled(c) && !some(c, func(v string) bool { return strings.Contains(v, " ") }):
			name = "type"
		}
		if name == "" || taken[name] {
			name = fmt.Sprintf("column%d", k+1)
		}
		taken[name] = true
		names = append(names, name)
	}
	return names
}

func isText(v string) bool {
	return strings.Contains(v, " ") || v != "" && v[0] >= 'A' && v[0] <= 'Z' && !strings.Contains(v, ",")
}

func all(list []string, ok func(string) bool) bool {
	for _, v := range list {
		if !ok(v) {
			return false
		}
	}
	return true
}

func mostly(list []string, ok func(string) bool) bool {
	n := 0
	for _, v := range list {
		if ok(v) {
			n++
		}
	}
	return n*2 > len(list)
}

func some(list []string, ok func(string) bool) bool {
	return !all(list, func(v string) bool { return !ok(v) })
}

func filled(list []string) bool { return some(list, func(v string) bool { return v != "" }) }

func orEmpty(shape func(string) bool) func(string) bool {
	return func(v string) bool { return v == "" || shape(v) }
}
