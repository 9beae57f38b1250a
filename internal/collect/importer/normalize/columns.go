package normalize

import (
	"html"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// A table of a page may have a column for each host and a row for each command. What is in it is read column by column.
var (
	tableAt = parse.Lazy(`(?is)<table\b[^<>]*>.*?</table>`)
	rowAt   = parse.Lazy(`(?is)<tr\b[^<>]*>(.*?)</tr>`)
	cellAt  = parse.Lazy(`(?is)<t[hd]\b[^<>]*>(.*?)</t[hd]>`)
	// columnHost is the name of a host at the head of a column; one of the columns must have a number in it.
	columnHost = parse.Lazy(`^[A-Za-z][\w.-]{1,60}$`)
)

// isState reports whether the head of a column says of which state it is, and not of which host.
func isState(head string) bool { return state.MatchString(strings.TrimSpace(head)) }

var (
	commandColumn = parse.Lazy(`(?i)^(?:commands?|cmd|befehle?|kommando|commandes?|comandos?)$`)
	state         = parse.Lazy(`(?i)^(?:before|after|old|new|then|now|expected|actual|wanted|found|good|bad|slow|fast|` +
		`output|result|notes?|comments?|description|meaning|purpose|example|value|default|` +
		`vorher|nachher|avant|après|antes|después|linux|aix|vios)$`)
)

// byHostColumns puts the tables of a page that have a column for each host into one text below another.
func byHostColumns(text []byte) []byte {
	return tableAt.Regexp().ReplaceAllFunc(text, func(table []byte) []byte {
		var rows [][]string
		for _, r := range rowAt.Regexp().FindAllSubmatch(table, -1) {
			var cells []string
			for _, c := range cellAt.Regexp().FindAllSubmatch(r[1], -1) {
				cells = append(cells, strings.Trim(string(shownOn(c[1])), "\r\n"))
			}
			rows = append(rows, cells)
		}
		if !hasHostColumns(rows) {
			return table
		}
		var out strings.Builder
		for i, host := range rows[0][1:] {
			out.WriteString("HOST: " + strings.TrimSpace(host) + "\n")
			for _, r := range rows[1:] {
				if strings.TrimSpace(r[i+1]) != "" {
					out.WriteString("=== " + strings.TrimSpace(r[0]) + " ===\n" + r[i+1] + "\n")
				}
			}
		}
		return []byte("<pre>" + html.EscapeString(out.String()) + "</pre>")
	})
}

// hasHostColumns reports whether the rows of a table are a head with several hosts, and texts of several lines below it.
func hasHostColumns(rows [][]string) bool {
	if len(rows) < 2 || len(rows[0]) < 3 {
		return false
	}
	numbered, texts := false, false
	seen := map[string]bool{}
	for _, name := range rows[0][1:] {
		name = strings.TrimSpace(name)
		if !columnHost.MatchString(name) || seen[name] {
			return false
		}
		seen[name] = true
		numbered = numbered || strings.ContainsAny(name, "0123456789")
	}
	for _, r := range rows[1:] {
		if len(r) != len(rows[0]) {
			return false
		}
		texts = texts || strings.Contains(strings.Join(r[1:], ""), "\n")
	}
	return texts && (numbered || commandColumn.MatchString(strings.TrimSpace(rows[0][0])) && !slices.ContainsFunc(rows[0][1:], isState))
}
