package doctor_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

// faulty is a host that gives other answers to some lines than the one below it.
type faulty struct {
	remote.Host
	answers map[string]knowledge.Answer // by the end of the line as it is sent
}

func (f faulty) User() string { return f.Host.(interface{ User() string }).User() }

func (f faulty) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	if strings.Contains(c.Line, " b 0;") { // several commands: it takes them one by one
		return &remote.Result{Exit: 127}, nil
	}
	for line, a := range f.answers {
		quoted := strings.ReplaceAll(line, "'", `'\''`)
		if strings.HasSuffix(c.Line, "; "+line) || strings.HasSuffix(c.Line, "; "+quoted+"' | oem_setup_env") {
			return &remote.Result{Stdout: []byte(a.Stdout), Stderr: []byte(a.Stderr), Exit: a.Exit}, nil
		}
	}
	return f.Host.Run(ctx, c)
}

func assumptions(t *testing.T) []knowledge.Assumption {
	t.Helper()
	list, err := knowledge.Assumptions()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// sound is a host on which everything holds, by kind of login.
func sound(t *testing.T) map[string]remote.Host {
	t.Helper()
	users := map[string]string{"aix": "root", "vios": "root", "padmin": "padmin", "linux": "root", "hmc": "hmcviewer"}
	handlers := map[string]remotetest.Handler{}
	for login, user := range users {
		table := remotetest.Table{
			"id -u": {Stdout: "0\n"}, "uname -m": {Stdout: "x\n"}, "uname -r": {Stdout: "6.1\n"}, "oslevel -s": {Stdout: "7200-05\n"},
		}
		switch login {
		case "vios", "padmin":
			table["ioscli ioslevel"], table["oem_setup_env"] = remotetest.Answer{Stdout: "3.1.4.21\n"}, remotetest.Answer{}
		case "hmc":
			table["lshmc -V"] = remotetest.Answer{Stdout: "\"version= Version: 10\n Release: 2\n\",\"base_version=V10R2\n\"\n"}
		}
		for _, a := range assumptions(t) {
			if a.Test != nil && slices.Contains(a.On, login) {
				e := a.Examples.Held
				table[a.Test.Run] = remotetest.Answer{Stdout: e.Stdout, Stderr: e.Stderr, Exit: e.Exit}
			}
		}
		switch login {
		case "linux":
			table["uname -s"] = remotetest.Answer{Stdout: "Linux\n"}
		case "hmc":
			table["uname -s"] = remotetest.Answer{}
		default:
			table["uname -s"] = remotetest.Answer{Stdout: "AIX\n"}
		}
		handlers[user+"@"+login] = table.Serve
	}
	fleet := remotetest.Start(t, handlers)
	hosts := map[string]remote.Host{}
	for login := range users {
		hosts[login] = fleet.Host(login)
	}
	return hosts
}

func TestSound(t *testing.T) {
	for login, h := range sound(t) {
		e, err := doctor.Examine(t.Context(), h, doctor.Options{})
		if err != nil {
			t.Errorf("%s: %v", login, err)
			continue
		}
		if e.Login != login || e.Level == "" {
			t.Errorf("%s: got login %q, level %q", login, e.Login, e.Level)
		}
		for _, r := range e.Results {
			if r.Verdict != knowledge.Held && r.Verdict != knowledge.Untested {
				t.Errorf("%s: %s is %s: %+v %s", login, r.ID, r.Verdict, r.Answer, r.Why)
			}
		}
	}
}

// With each assumption broken in turn, what leans on it refuses or takes the
// way that the file documents, and nothing else is affected.
func TestEachBroken(t *testing.T) {
	hosts := sound(t)
	for _, a := range assumptions(t) {
		if a.Test == nil {
			continue
		}
		for _, login := range a.On {
			if a.ID == "ioscli" || a.ID == "system" {
				continue // what the host is rests on them too: see below
			}
			h := faulty{hosts[login], map[string]knowledge.Answer{a.Test.Run: a.Examples.Broken}}
			e, err := doctor.Examine(t.Context(), h, doctor.Options{})
			if err != nil {
				t.Errorf("%s on %s: %v", a.ID, login, err)
				continue
			}
			for _, r := range e.Results {
				if broken := r.Verdict == knowledge.Broken; broken != (r.ID == a.ID) && r.Verdict != knowledge.Untested {
					t.Errorf("%s broken on %s: %s is %s (%+v)", a.ID, login, r.ID, r.Verdict, r.Answer)
				}
			}
			for _, f := range knowledge.Features {
				i := slices.IndexFunc(a.Features, func(l knowledge.Leaning) bool { return l.Feature == f })
				other, err := doctor.Require(t.Context(), []remote.Host{h}, doctor.Options{}, f)
				switch {
				case i < 0:
					if err != nil || other != nil {
						t.Errorf("%s broken on %s: %s, which does not lean on it, got %v, %v", a.ID, login, f, other, err)
					}
				case a.Features[i].Broken == knowledge.Refuse:
					if !errors.Is(err, doctor.ErrRefused) || !strings.Contains(err.Error(), a.Features[i].Why) || !strings.HasPrefix(err.Error(), login+": ") {
						t.Errorf("%s broken on %s: %s: got %v, want a refusal with the reason", a.ID, login, f, err)
					}
				default:
					if err != nil || len(other) != 1 || !strings.Contains(other[0].Said(), a.Features[i].Why) {
						t.Errorf("%s broken on %s: %s: got %v, %v, want the other way", a.ID, login, f, other, err)
					}
				}
			}
		}
	}
}

// What tells what a host is can be broken too.
func TestNotIdentified(t *testing.T) {
	hosts := sound(t)
	h := faulty{hosts["linux"], map[string]knowledge.Answer{"uname -s": {Exit: 127}}}
	if _, err := doctor.Examine(t.Context(), h, doctor.Options{}); err == nil || !strings.Contains(err.Error(), "neither AIX, VIOS nor Linux") {
		t.Errorf("a host of unknown system: got %v", err)
	}
	if other, err := doctor.Require(t.Context(), []remote.Host{h}, doctor.Options{}, knowledge.Applying); err != nil || other != nil {
		t.Errorf("a host of unknown system stops a feature: %v, %v", other, err)
	}
}

// A test without an answer is unknown, and stops nothing.
func TestNoAnswer(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": func(ctx context.Context, c *remotetest.Call) int {
		if strings.HasPrefix(c.Command, "ps ") {
			c.Cut()
			<-ctx.Done()
		}
		return remotetest.Table{"uname -s": {Stdout: "AIX\n"}, "id -u": {Stdout: "0\n"}}.Serve(ctx, c)
	}})
	e, err := doctor.Examine(t.Context(), f.Host("lpar1"), doctor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(e.Results, func(r doctor.Result) bool { return r.ID == "ps-tree" })
	if r := e.Results[i]; r.Verdict != knowledge.Unknown || r.Why == "" {
		t.Errorf("got %+v, want that nothing is known and why", r)
	}
}

// What is given away names no host and nothing that only this site has.
func TestShare(t *testing.T) {
	list := []*doctor.Examination{{Host: "payroll7", Login: "aix", Results: []doctor.Result{{ID: "x", Verdict: knowledge.Broken,
		Answer: &knowledge.Answer{Stdout: "payroll7.example.com says no\n10.44.3.2 held\n", Exit: 1}, Why: "payroll7: gone"}}, Error: "payroll7: down"}}
	shared, err := doctor.Share(list)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(shared)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"payroll7", "example.com", "10.44.3.2"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is left in %s", secret, text)
		}
	}
	for _, kept := range []string{`"host":"host1"`, `"verdict":"broken"`, "held", `"exit":1`} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("%s is missing in %s", kept, text)
		}
	}
	if list[0].Host != "payroll7" || !strings.Contains(list[0].Results[0].Answer.Stdout, "payroll7") {
		t.Error("sharing changed the results themselves")
	}
}
