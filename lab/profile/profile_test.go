package profile

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/lab/node"
)

// machineOf is a source that plays a list of samples.
type machineOf struct {
	samples [][]process
	idles   []uint64
}

func (m *machineOf) processes() ([]process, error) {
	if len(m.samples) == 0 {
		return nil, errors.New("no more samples")
	}
	s := m.samples[0]
	m.samples = m.samples[1:]
	return s, nil
}

func (m *machineOf) idle() (uint64, int, error) {
	i := m.idles[0]
	m.idles = m.idles[1:]
	return i, 4, nil
}

func TestRecorder(t *testing.T) {
	was := process{PID: 7, Start: 1, Name: "/usr/sbin/old", ticks: ticks{100, 50}}
	now := was
	now.User, now.Kernel = 103, 51
	ftp := process{PID: 9, Start: 5, Name: "/usr/bin/ftp", ticks: ticks{4, 2}}
	end := process{PID: 9, Start: 5, Name: "ftp", Dead: true, ticks: ticks{6, 3}}
	stranger := process{PID: 10, Start: 6, Name: "x", Dead: true, ticks: ticks{9, 9}}
	again := process{PID: 9, Start: 8, Name: "/usr/bin/ftp", ticks: ticks{1, 0}}
	var out bytes.Buffer
	r, err := record(&machineOf{samples: [][]process{{was}, {now, ftp}, {now, end, stranger}, {now, again}},
		idles: []uint64{1000, 1010, 1020, 1040}}, &out, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.sample(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	want := []row{{"/usr/bin/ftp", 2, ticks{7, 3}}, {"/usr/sbin/old", 1, ticks{3, 1}}}
	if diff := cmp.Diff(want, r.rows(), cmp.AllowUnexported(row{}, ticks{})); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if r.idle1-r.idle0 != 40 {
		t.Errorf("idle: got %d, want 40", r.idle1-r.idle0)
	}
	events := regexp.MustCompile(`(?m)^[0-9.]+ `).ReplaceAllString(out.String(), "")
	wantEvents := "001 \n234 pid=7 kernel=1 user=3 /usr/sbin/old\n134 pid=9 /usr/bin/ftp\n234 pid=9 kernel=2 user=4 /usr/bin/ftp\n" +
		"234 pid=9 kernel=1 user=2 /usr/bin/ftp\n134 pid=9 /usr/bin/ftp\n234 pid=9 kernel=0 user=1 /usr/bin/ftp\n002 \n"
	if diff := cmp.Diff(wantEvents, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestTprofArgs(t *testing.T) {
	for line, want := range map[string]string{
		"-z -Askex ftp": "ftp", "-x sleep 1": "sleep 1", "-zxftp host": "ftp host", "-A": "error",
		"-Q -x a": "error", "-x": "error", "ftp": "error",
	} {
		argv, err := tprofArgs(strings.Fields(line))
		got := strings.Join(argv, " ")
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: got %q (%v), want %q", line, got, err, want)
		}
	}
}

func call(t *testing.T, name string, args ...string) (out, errs string, exit int) {
	t.Helper()
	var o, e bytes.Buffer
	exit = commands[name](t.Context(), &node.Call{Node: "lpar1", Argv: append([]string{name}, args...), Stdin: strings.NewReader(""),
		Stdout: &o, Stderr: &e})
	return o.String(), e.String(), exit
}

// A program that burns processor time has ticks, and about as many as the
// kernel says its whole family used.
func TestTprof(t *testing.T) {
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip("no awk here to be profiled")
	}
	t.Chdir(t.TempDir())
	out, errs, exit := call(t, "tprof", "-z", "-Askex", "awk", "BEGIN{for(i=0;i<4000000;i++)x+=i}")
	if exit != 0 || !strings.Contains(out, "stopping trace collection.") || !strings.Contains(out, "Generating awk.prof") {
		t.Fatalf("got exit %d, %q, %q", exit, out, errs)
	}
	text, err := os.ReadFile("awk.prof")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\S*awk\s+1\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+|-)`).FindSubmatch(text)
	if row == nil {
		t.Fatalf("no row of awk in\n%s", text)
	}
	if string(row[1]) == "0" || string(row[3]) == "0" {
		t.Errorf("got no ticks: %s", row[0])
	}
	for _, f := range []string{"awk.trc", "awk.syms"} {
		if _, err := os.Stat(f); err != nil {
			t.Error(err)
		}
	}
	if out, errs, exit := call(t, "trcrpt", "awk.trc"); exit != 0 || !strings.Contains(out, "234 ") || !strings.Contains(out, "CLOCK TICKS") {
		t.Errorf("trcrpt: got exit %d, %q, %q", exit, out, errs)
	}
	if out, _, exit := call(t, "vi", "awk.prof"); exit != 0 || out != string(text) {
		t.Errorf("vi: got exit %d, %q", exit, out)
	}
	if _, errs, exit := call(t, "tprof", "-x", "no-such-program-here"); exit == 0 || !strings.Contains(errs, "no-such-program-here") {
		t.Errorf("an unknown program: got exit %d, %q", exit, errs)
	}
}

func TestTraceArgs(t *testing.T) {
	line := "-ad -M -L 799465881 -T 500000 -j 00A,001,002,003,38F,005,006,134,210,139,5A2,5A5,465,234,5D8, -o ftp.trc"
	got, err := traceArgs(strings.Fields(line))
	if err != nil || !got.background || !got.delayed || len(got.hooks) != 15 || got.out != "ftp.trc" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := traceArgs([]string{"-an", "-o", "x.trc"}); err != nil || !got.background || got.out != "x.trc" {
		t.Errorf("-an -o x.trc: got %+v, %v, want that -n takes no value", got, err)
	}
	for _, bad := range []string{"-C all", "-j xyz", "-o", "-L many", "-Q", "file"} {
		if _, err := traceArgs(strings.Fields(bad)); err == nil {
			t.Errorf("%s: got success", bad)
		}
	}
}

func TestProgram(t *testing.T) {
	for _, x := range [][3]string{{"ftp\x00host\x00", "/run/seaworthy/seaworthy", "/usr/bin/ftp"},
		{"dd\x00", "/.machine/usr/bin/dd", "/usr/bin/dd"}, {"", "", "short"}} {
		if got := program(strings.Split(x[0], "\x00"), x[1], "short"); got != x[2] {
			t.Errorf("%q, %q: got %q, want %q", x[0], x[1], got, x[2])
		}
	}
}

var commands = map[string]node.Command{"tprof": Tprof, "trace": Trace, "trcrpt": Trcrpt, "vi": View,
	"trcon": Trcon, "trcoff": Trcoff, "trcstop": Trcstop}
