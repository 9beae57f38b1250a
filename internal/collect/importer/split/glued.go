package split

import (
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// promptFront is what a prompt with user and host begins with, to the end of the host's name.
var promptFront = parse.Lazy(`^\[?[\w.-]{1,64}@[\w.-]{1,255}[: ]`)

// mostFronts is how many different ones of a text are looked for behind outputs.
const mostFronts = 20

// unglued begins a line at each prompt that stands behind an output without an end of its last line: "9000root@web7:~# exit".
// Only prompts that begin another line as well are known. It gives the numbers of the lines that it began.
func unglued(text []byte) (plain []byte, begun []int) {
	lines := split(text)
	fronts := frontsOf(lines)
	if len(fronts) == 0 {
		return text, nil
	}
	for i := 0; i < len(lines); i++ {
		at := gluedAt(lines[i], fronts)
		if at == 0 {
			continue
		}
		begun = append(begun, i+2)
		lines = slices.Replace(lines, i, i+1, lines[i][:at]+"\n", lines[i][at:])
	}
	if len(begun) == 0 {
		return text, nil
	}
	return []byte(strings.Join(lines, "")), begun
}

// frontsOf are the fronts of the prompts that begin lines, without those that end in another one.
func frontsOf(lines []string) []string {
	var fronts []string
	for _, l := range lines {
		front := frontOf(l)
		if front != "" && len(fronts) < mostFronts && !slices.Contains(fronts, front) {
			fronts = append(fronts, front)
		}
	}
	return slices.DeleteFunc(slices.Clone(fronts), func(long string) bool {
		return slices.ContainsFunc(fronts, func(f string) bool { return f != long && strings.HasSuffix(long, f) })
	})
}

// frontOf is the front of the prompt that a line begins with; empty if it begins with none.
func frontOf(line string) string {
	if !strings.Contains(line[:min(len(line), 600)], "@") || !strings.ContainsAny(line, promptSigns) {
		return ""
	}
	b := body(line)
	head, _, _, ok := prompt(b)
	if !ok {
		head, _, _ = tight(b)
	}
	return promptFront.Regexp().FindString(head)
}

// gluedAt is where in a line a prompt begins behind an output; 0 if none does.
func gluedAt(line string, fronts []string) int {
	for _, front := range fronts {
		at := strings.Index(line, front)
		if at == 0 || at > 0 && body(line[:at]) == "" {
			return 0
		}
		if at > 0 && frontOf(line[at:]) == front {
			return at
		}
	}
	return 0
}

// asNumbered gives pieces the numbers of lines of the text before unglued began some.
func asNumbered(pieces []Piece, begun []int) {
	for i := range pieces {
		n, _ := slices.BinarySearch(begun, pieces[i].Line+1)
		pieces[i].Line -= n
	}
}
