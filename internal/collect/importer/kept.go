package importer

import (
	"bytes"
	"cmp"
	"slices"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/collect/importer/split"
)

// What no codec reads is kept beside outputs that are known: answers of other commands, words of people, and the rest.

// otherID is the registry's entry of what is kept and not evaluated.
const otherID = "other"

// others keeps what other commands answered, beside an output that is known.
func (r *reader) others(f *file, c *split.Cut) error {
	known := slices.ContainsFunc(f.parts, func(p *part) bool { return p.found != nil }) || asksHost(c)
	named := c.Form == split.Whole && commandOf(f.path) != "" // a support tool's file has the command in its name
	switch {
	case named, c.Form == split.Nmon, c.Form == split.Support:
	case !known, c.Form == split.Whole, c.Form == split.Follow:
		return nil
	}
	for i, p := range f.parts {
		program := detect.Other(cmp.Or(c.Pieces[i].Command, c.Pieces[i].Title))
		if named {
			program = detect.ParseCommand(commandOf(f.path)).Program
		}
		if c.Form == split.Agent || c.Form == split.Nmon {
			program = c.Pieces[i].Title
		}
		if c.Pieces[i].Preface {
			program = "heading"
		}
		if p.found != nil || p.namedBy == "hostname" || len(p.Warnings) > 0 || program == "" {
			continue
		}
		p.found = &detect.Found{Kind: "other command", ID: otherID, Element: program, Command: cmp.Or(p.Command, program)}
		p.found.Report.Lines = p.Lines
		p.signs = signsOf(p.found, c.Pieces[i].Text)
		p.ran = systemOfProgram(program, c.Pieces[i].Text)
		if err := r.keep(p, string(c.Pieces[i].Text)); err != nil {
			return err
		}
	}
	return nil
}

// notes keeps the words of people around outputs that are known.
func (r *reader) notes(f *file, c *split.Cut) error {
	if !slices.ContainsFunc(f.parts, func(p *part) bool { return p.found != nil }) {
		return nil
	}
	for i, p := range f.parts {
		if !c.Pieces[i].Note {
			continue
		}
		if p.namedBy == "prompt" { // those of a login to another host stand below the prompt of the first
			p.named, p.namedBy, p.known = "", "", ""
		}
		p.found = &detect.Found{Kind: noteKind, ID: otherID, Element: "note", Command: noteKind}
		p.found.Report.Lines = p.Lines
		if c.Pieces[i].Again {
			p.Warnings = append(p.Warnings, keptAsAgain)
		} else {
			p.Warnings = append(p.Warnings, keptAsNote)
		}
		p.signs = strictSigns(p.found, c.Pieces[i].Text)
		if err := r.keep(p, string(c.Pieces[i].Text)); err != nil {
			return err
		}
	}
	return nil
}

// rest keeps what nothing above knows beside an output that is known: text of its command where that is known, else a note.
func (r *reader) rest(f *file, c *split.Cut) error {
	known := func(p *part) bool { return p.found != nil && p.found.ID != otherID }
	if !slices.ContainsFunc(f.parts, known) && !asksHost(c) {
		return nil
	}
	for i, p := range f.parts {
		piece := c.Pieces[i]
		if p.found != nil || p.namedBy == "hostname" || len(bytes.TrimSpace(piece.Text)) == 0 || detect.Binary(piece.Text) {
			continue
		}
		call := detect.ParseCommand(piece.Command)
		p.found = &detect.Found{Kind: noteKind, ID: otherID, Element: "note", Command: noteKind}
		if call.ID == "" && p.namedBy != "heading" { // a note names no host: a login to another one prints it below the prompt of the first
			p.named, p.namedBy, p.known = "", "", ""
		} else if call.ID != "" {
			p.found = &detect.Found{Kind: unreadKind, ID: otherID, Element: call.Program, Command: piece.Command}
			p.ran = systemOfProgram(call.Program, piece.Text)
		}
		p.found.Report.Lines = p.Lines
		p.Warnings = append(p.Warnings, "kept as text: no output was recognised in it")
		p.signs = strictSigns(p.found, piece.Text)
		if err := r.keep(p, string(piece.Text)); err != nil {
			return err
		}
	}
	return nil
}

// strictSigns are what a text that is no known output says of its host, where nothing else could mean it.
func strictSigns(f *detect.Found, text []byte) []sign {
	return slices.DeleteFunc(signsOf(f, text), func(s sign) bool { return s.class != strict })
}

// noteKind is the kind of the words that stand around outputs, unreadKind that of what a known command printed and no codec reads.
const (
	noteKind    = "note"
	unreadKind  = "unread answer"
	keptAsAgain = "kept as a note: the same as above once more, below words that do not say of which host or when: " +
		"put a line with the host's name above it, as in \"--- web2 ---\""
	keptAsNote = "kept as a note: words around the outputs"
)
