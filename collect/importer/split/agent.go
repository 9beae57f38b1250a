package split

// agent parts what a monitoring agent sends: sections with their name in
// brackets, in which each adapter may have a heading of its own.
func agent(lines []string) *Cut {
	c, p := &Cut{Form: Agent}, pieces{line: 1}
	section := ""
	for i, l := range lines {
		b := body(l)
		if m := agentLine.FindStringSubmatch(b); m != nil {
			section = m[1]
			p.begin(Piece{Title: section}, i+1)
		} else if m := agentPart.FindStringSubmatch(b); m != nil && section != "" {
			p.begin(Piece{Title: m[1]}, i+1)
		} else {
			p.add(l)
		}
	}
	if section == "" {
		return nil
	}
	p.end()
	c.Pieces = p.list
	return c
}
