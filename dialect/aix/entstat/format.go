package entstat

// ending is how the lines of the outermost text ended.
type ending struct {
	crlf    bool
	noFinal bool
}

// Format prints the statistics: at the places of the text they were read from
// if there was one, else as AIX 7.2 and VIOS 3.1 print them.
func Format(s *Statistics) []byte {
	return s.end.close(s.append(nil, s.end.eol(), alone), s.end.eol())
}

func (e ending) eol() string {
	if e.crlf {
		return "\r\n"
	}
	return "\n"
}

// close takes the last line end away again if the text had none.
func (e ending) close(b []byte, eol string) []byte {
	if e.noFinal && len(b) >= len(eol) {
		return b[:len(b)-len(eol)]
	}
	return b
}

// standing is how an adapter's text begins: for itself, or as a member.
type standing int

const (
	alone       standing = iota
	firstMember          // right below an SEA's own section
	laterMember
)

func (s *Statistics) append(b []byte, eol string, as standing) []byte {
	if s.stale() {
		b = s.compose(b, eol, as)
	} else {
		b = s.print(b, eol)
	}
	as = laterMember
	if s.sharedHeading() != nil {
		as = firstMember
	}
	for _, m := range s.Members {
		b = m.append(b, eol, as)
		as = laterMember
	}
	return b
}
