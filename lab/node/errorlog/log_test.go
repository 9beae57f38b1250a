package errorlog

import "testing"

func TestLogs(t *testing.T) {
	var l Logs
	for range size + 10 {
		l.Append("lpar1", Entry{Template: On})
	}
	l.Append("lpar1", Entry{Template: LinkDown, Resource: "ent0"})
	l.Append("lpar2", Entry{Template: On})
	all := l.Entries("lpar1")
	if len(all) != size || all[0].Resource != "ent0" || all[0].Sequence != size+11 {
		t.Errorf("lpar1: got %d entries, the newest %+v", len(all), all[0])
	}
	l.Remove("lpar1", func(e Entry) bool { return e.Template == On })
	if left := l.Entries("lpar1"); len(left) != 1 || left[0].Template != LinkDown {
		t.Errorf("after Remove: got %+v", left)
	}
	l.Append("lpar1", Entry{Template: On})
	if got := l.Entries("lpar1")[0].Sequence; got != size+12 {
		t.Errorf("sequence after Remove: got %d, want %d: numbers are not used twice", got, size+12)
	}
	if got := len(l.Entries("lpar2")); got != 1 {
		t.Errorf("lpar2: got %d entries, want its own one", got)
	}
}
