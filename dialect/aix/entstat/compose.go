package entstat

func (s *Statistics) compose(b []byte, eol string) []byte { return b }
