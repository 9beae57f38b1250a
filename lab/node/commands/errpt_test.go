package commands_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/effect"
)

type ctx = context.Context

var errRefused = errors.New("refused by the kernel")

func (l *lab) broken(f effect.Fault, value int64) {
	l.t.Helper()
	if _, err := l.Break(l.t.Context(), f, value); err != nil {
		l.t.Fatal(err)
	}
}

// entries are "ID RESOURCE" of what errpt prints, newest first.
func (l *lab) entries(who, command string) []string {
	l.t.Helper()
	text := l.must(who, command)
	r, err := linewise.ParseErrpt([]byte(text))
	if err != nil {
		l.t.Fatalf("%s: %v in\n%s", command, err, text)
	}
	out := []string{}
	for _, e := range r.Entries {
		out = append(out, e.ID+" "+e.Resource)
	}
	return out
}

func TestErrorLog(t *testing.T) {
	l := newLab(t, "etherchannel")
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.Local)
	l.Simulator.Now = func() time.Time { return now }
	l.want("at first", l.must("lpar2", "errpt"), "")
	port := func(node, adapter string, down int64) {
		l.broken(effect.Fault{Kind: effect.PortDown, At: [2]string{node, adapter}}, down)
	}
	expect := func(what, command string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(append([]string{}, want...), l.entries("lpar2", command)); diff != "" {
			t.Errorf("%s: %s: got +, want -:\n%s", what, command, diff)
		}
	}
	c := l.channelWithBackup(t, "lpar2")
	port("lpar2", c.Members[0], 1)
	port("lpar2", c.Members[0], 1) // it is down already
	expect("a member", "errpt", linkID(l, c.Members[0])...)
	for _, m := range c.Members[1:] {
		port("lpar2", m, 1)
	}
	if got := l.entries("lpar2", "errpt -N "+c.Name); len(got) != 1 || got[0] != "F3846E13 "+c.Name {
		t.Errorf("all members down: got %q, want the failover of %s", got, c.Name)
	}
	now = now.AddDate(0, 0, 3)
	port("lpar2", c.Members[0], 0)
	expect("one is back", "errpt -d H -N "+c.Name, "8650BE3F "+c.Name, "F3846E13 "+c.Name)
	expect("since", "errpt -s 0307050626", "8650BE3F "+c.Name)
	expect("until", "errpt -N "+c.Name+" -e 0304050626", "F3846E13 "+c.Name)
	expect("by type", "errpt -T INFO", "8650BE3F "+c.Name)
	expect("all but", "errpt -T PERM,INFO -k 8650BE3F", "F3846E13 "+c.Name)
	expect("by label", "errpt -J ech_chan_fail", "F3846E13 "+c.Name)
	expect("at length", "errpt -a -J ECH_CHAN_FAIL,ECH_CHAN_RCVRY", "8650BE3F "+c.Name, "F3846E13 "+c.Name)
	l.refused("lpar2", "errpt -s yesterday", "MMDDhhmmYY")
	l.refused("lpar2", "errpt -q", "no flag -q")

	l.must("lpar2", "errlogger change 4711 begins")
	expect("a note", "errpt -d O", "AA8AB241 OPERATOR")
	if out := l.must("lpar2", "errpt -a -j AA8AB241"); !strings.Contains(out, "change 4711 begins\n") {
		t.Errorf("errpt -a: got\n%s\nwant the message", out)
	}
	l.refused("lpar2", "errlogger", "message is required")
	l.must("lpar2", "errclear -N "+c.Name+" 2")
	expect("the old ones are gone", "errpt -N "+c.Name, "8650BE3F "+c.Name)
	l.refused("lpar2", "errclear all", "number of days")
	l.must("lpar2", "errclear 0")
	expect("all are gone", "errpt")
}

// linkID is the entry of a port's driver; none where nobody knows it.
func linkID(l *lab, adapter string) []string {
	switch out := l.must("lpar2", "lsdev -Cl "+adapter); {
	case strings.Contains(out, "10/100/1000"):
		return []string{"EC0BCCD4 " + adapter}
	case strings.Contains(out, "Converged"):
		return []string{"DD2E9242 " + adapter}
	}
	return nil
}

func TestErrorLogIsBounded(t *testing.T) {
	l := newLab(t, "two-systems")
	for i := range 2100 {
		l.must("lpar1", fmt.Sprintf("errlogger %d", i))
	}
	got := l.entries("lpar1", "errpt")
	l.want("entries", len(got), 2000)
	if out := l.must("lpar1", "errpt -a -l 2100"); !strings.Contains(out, "\n2099\n") {
		t.Errorf("the newest: got\n%s\nwant number 2099", out)
	}
	l.want("the oldest", l.must("lpar1", "errpt -l 100"), "")
	l.must("padmin@vios1", "errlog -rm 0")
	l.want("errlog", l.must("padmin@vios1", "errlog -ls"), "")
}
