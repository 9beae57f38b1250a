package collect

import (
	"context"
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/test/remotetest"
)

// taken is an HMC's shell that keeps the last line that it got.
type taken struct {
	remote.Host
	line string
}

func (h *taken) Name() string { return "hmc1" }

func (h *taken) Run(_ context.Context, c remote.Command) (*remote.Result, error) {
	h.line = c.Line
	return &remote.Result{}, nil
}

func TestThroughHMCQuotes(t *testing.T) {
	for _, x := range []struct{ system, vios, line, sent, err string }{
		{"cec1", "vios1", "ioscli ioslevel", "viosvrcmd -m cec1 -p vios1 -c ioslevel", ""},
		{"9009-22A*7812345", "vios 1", locale + "; ioscli lsdev -dev ent7 -attr",
			"viosvrcmd -m '9009-22A*7812345' -p 'vios 1' -c 'lsdev -dev ent7 -attr'", ""},
		{"cec1", "vios1", "ioscli x $(reboot) 'y'", `viosvrcmd -m cec1 -p vios1 -c 'x $(reboot) '\''y'\'''`, ""},
		{"cec1", "$(reboot)", "ioscli ioslevel", "", "not the form of a name"},
		{"cec1", "-c reboot", "ioscli ioslevel", "", "not the form of a name"},
		{"cec1", "vios1\nreboot", "ioscli ioslevel", "", "not the form of a name"},
		{"cec1'; reboot", "vios1", "ioscli ioslevel", "", "not the form of a name"},
		{"cec1", "vios1", "uname -s", "", "ioscli alone"},
		{"cec1", "vios1", "ioscli lsmap -all | more", "", "takes no"},
		{"cec1", "vios1", "ioscli lsmap; reboot", "", "takes no"},
		{"cec1", "vios1", "ioscli lsmap > /tmp/x", "", "takes no"},
		{"cec1", "vios1", "ioscli lsmap\nreboot", "", "takes no"},
	} {
		hmc := &taken{}
		_, err := ThroughHMC(hmc, Partition{Name: x.vios, System: x.system, VIOS: true}).Run(t.Context(), remote.Command{Line: x.line})
		if hmc.line != x.sent || (err == nil) != (x.err == "") || err != nil && !strings.Contains(err.Error(), x.err) {
			t.Errorf("%s, %s, %s: sent %q, %v, want %q, %q", x.system, x.vios, x.line, hmc.line, err, x.sent, x.err)
		}
	}
}

// byViosvrcmd answers as an HMC that runs the commands of a VIOS.
func byViosvrcmd(vios table) table {
	t := table{}
	for line, a := range vios {
		if command, ok := strings.CutPrefix(line, "ioscli "); ok {
			t[viosvrcmd+" -m 'cec 1' -p vios1 -c "+shellword.Quote(command)] = a
		}
	}
	return t
}

func TestThroughHMC(t *testing.T) {
	refusing := table{"viosvrcmd -m 'cec 1' -p vios1 -c ioslevel": {
		Stdout: "HSCL350B The user does not have the appropriate authority.\n", Exit: 1}}
	f := remotetest.Start(t, map[string]remotetest.Handler{"hmc1": byViosvrcmd(viosHost()).Serve, "hmc2": refusing.Serve,
		"hmc3": refusing.Serve})
	through := func(hmc string) remote.Host {
		return ThroughHMC(f.Host(hmc), Partition{Name: "vios1", System: "cec 1", VIOS: true})
	}
	m, err := single(t.Context(), through("hmc1"), t.TempDir(), Options{})
	if err != nil || m.Host != "vios1" || m.Platform != string(model.VIOS) || m.Environment != "" || len(m.Gaps) != 1 ||
		!strings.Contains(NotRoot(m.Gaps), "viosvrcmd") {
		t.Fatalf("got %v, %+v", err, m)
	}
	for _, r := range m.Commands {
		if r.Via != "viosvrcmd" || !strings.HasPrefix(r.Line, "ioscli ") || r.Exit != 0 {
			t.Errorf("got %+v, want an answer by viosvrcmd", r)
		}
	}
	if len(m.Commands) < 10 {
		t.Errorf("got %d commands", len(m.Commands))
	}
	for _, l := range f.Server("hmc1").Lines() {
		if !strings.HasPrefix(l, "viosvrcmd -m 'cec 1' -p vios1 -c ") || strings.ContainsAny(l, ";|>") {
			t.Errorf("sent to the HMC: %q", l)
		}
	}
	_, err = single(t.Context(), through("hmc2"), t.TempDir(), Options{})
	if err == nil || !strings.Contains(err.Error(), "vios1: viosvrcmd on hmc2") || !strings.Contains(err.Error(), "HSCL350B") {
		t.Errorf("got %v, want what the HMC said", err)
	}
	f.Server("hmc3").RefuseLogins(true)
	_, err = single(t.Context(), through("hmc3"), t.TempDir(), Options{})
	if !errors.Is(err, remote.ErrAuth) || !strings.HasPrefix(err.Error(), "vios1: hmc3: ") {
		t.Errorf("got %v, want that the HMC refuses the login", err)
	}
}
