package split

import (
	"context"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// link parts the commands of one line: "uname -a; ip addr && netstat -s".
var link = parse.Lazy(`[ \t]*(?:;|&&)[ \t]*`)

// chained takes apart what several commands of one line printed, one after the other. An output gets its command, and with it
// its device, where as many outputs of its kind are there as commands. Nil: the line is one command.
func chained(ctx context.Context, p Piece) []Piece {
	var commands []string
	for _, c := range link.Regexp().Split(p.Command, -1) {
		if detect.ParseCommand(c).ID != "" {
			commands = append(commands, c)
		}
	}
	if len(commands) < 2 {
		return nil
	}
	c := follow(ctx, split(p.Text))
	if c == nil || len(c.Pieces) < 2 {
		return nil
	}
	found := make([]string, len(c.Pieces)) // the kind of each
	outputs := map[string]int{}
	for i, q := range c.Pieces {
		if f, ok := detect.Text(q.Text, detect.Hint{Command: q.Command, File: q.Title}); ok {
			found[i] = f.ID
			outputs[f.ID]++
		}
	}
	asked := map[string][]string{} // the commands of each kind, in their order
	for _, line := range commands {
		id := detect.ParseCommand(line).ID
		asked[id] = append(asked[id], line)
	}
	for i := range c.Pieces {
		q := &c.Pieces[i]
		q.Host, q.HostFrom = p.Host, p.HostFrom
		q.Time = p.Time
		q.Line += p.Line - 1
		id := found[i]
		if lines := asked[id]; len(lines) > 0 && len(lines) == outputs[id] {
			q.Command = lines[0]
			asked[id] = lines[1:]
			outputs[id]--
		}
	}
	return c.Pieces
}
