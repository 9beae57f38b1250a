package meter_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/measure/probe/meter"
)

func TestProcStat(t *testing.T) {
	at := time.Unix(1000, 0)
	before, err := meter.ParseProcStat("cpu  1000 10 500 9000 100 5 20 7 300 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 5 5 5\n", at)
	if err != nil {
		t.Fatal(err)
	}
	// 2 s: user +150 (guest 50 of them), nice +10, system +40, irq +2, softirq +8, steal +30, idle +150, iowait +10.
	after, err := meter.ParseProcStat("cpu  1150 20 540 9150 110 7 28 37 350 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n", at.Add(2*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	u, err := after.Since(before)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string][2]float64{
		"cores": {u.Cores, 1.05}, "user": {*u.User, 0.55}, "system": {*u.System, 0.2}, "irq": {*u.IRQ, 0.01},
		"softirq": {*u.SoftIRQ, 0.04}, "steal": {*u.Steal, 0.15}, "guest": {*u.Guest, 0.25}, "seconds": {u.Seconds, 2},
	} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s: got %g, want %g", name, v[0], v[1])
		}
	}
	if u.CPUs != 2 {
		t.Errorf("got %d CPUs, want 2", u.CPUs)
	}
	if _, err := before.Since(before); err == nil {
		t.Error("interval without length: got no error")
	}
	for _, bad := range []string{"", "intr 1\n", "cpu 1 2\n", "cpu 1 2 3 x\n", "cpu0 1 2 3 4\n", "cpu -1 2 3 4\n"} {
		if s, err := meter.ParseProcStat(bad, at); err == nil {
			t.Errorf("%q: got %+v, want an error", bad, s)
		}
	}
}

const shared = `
System configuration: type=Shared mode=Uncapped smt=4 lcpu=36 mem=921600MB psize=16 ent=8.00 

%user  %sys  %wait  %idle physc %entc  lbusy   app  vcsw phint  %nsp  %utcyc
----- ----- ------ ------ ----- ----- ------   --- ----- ----- -----  ------
  0.9   0.7    0.0   98.4  0.34   4.2    1.1 15.30  3760     0   113  11.19 
`

func TestLparstat(t *testing.T) {
	tests := []struct {
		name, text  string
		cores, entc float64
		hasEntc     bool
	}{
		{"shared", shared, 0.34, 4.2, true},
		{"two lines", shared + "  0.4   0.3    0.0   99.3  0.16   2.0    0.2 15.37  3111     0   101   1.06 \n", 0.25, 3.1, true},
		{"comma", strings.ReplaceAll(shared, "0.34", "0,34"), 0.34, 4.2, true},
		// 25 % and 50 % of 12/4 processors.
		{"dedicated", "System configuration: type=Dedicated mode=Capped smt=4 lcpu=12 mem=24576MB\n\n%user  %sys  %wait  %idle  %nsp\n----- ----- ------ ------ -----\n 25.0  50.0    0.0   25.0    76\n", 2.25, 0, false},
		{"dedicated, one thread", "System configuration: type=Dedicated mode=Capped smt=Off lcpu=2 mem=1MB\n%user  %sys  %wait  %idle\n---\n 50.0  0.0    0.0   50.0\n", 1, 0, false},
	}
	for _, tt := range tests {
		u, err := meter.ParseLparstat(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if math.Abs(u.Cores-tt.cores) > 1e-9 || (u.Entitled != nil) != tt.hasEntc || tt.hasEntc && math.Abs(*u.Entitled-tt.entc) > 1e-9 {
			t.Errorf("%s: got %g cores, %%entc %v; want %g and %g", tt.name, u.Cores, u.Entitled, tt.cores, tt.entc)
		}
	}
	u, err := meter.ParseLparstat("System configuration: type=Shared ent=2.00\n%user %sys %wait %idle physc %entc\n----- ----\n  5.0 20.0  -  -  0.50 25.0\n")
	if err != nil || u.Cores != 0.5 {
		t.Errorf("columns without a figure: got %+v, %v, want 0.5 cores", u, err)
	}
	if u, err := meter.ParseLparstat("%user %sys %wait %idle physc %entc\n-----\n - - - - - -\n"); err == nil {
		t.Errorf("no figures at all: got %+v, want an error", u)
	}
	for _, bad := range []string{"", "lparstat: 0551-010 failed\n", "%user %sys\n 1 2\n", "%user physc\n----\n 1 x\n", "System configuration: lcpu=x\n%user %sys\n 1 1\n", "%user physc\n---\n 1 -2\n"} {
		if u, err := meter.ParseLparstat(bad); err == nil {
			t.Errorf("%q: got %+v, want an error: unknown is not zero", bad, u)
		}
	}
}

// Every lparstat text of the corpus gives cores, whatever the partition's mode.
func TestLparstatCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "..", "shared", "corpus", "lparstat")
	names, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
	if len(names) == 0 {
		t.Skipf("no corpus at %s", dir)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if u, err := meter.ParseLparstat(string(text)); err != nil || u.CPUs == 0 {
			t.Errorf("%s: got %+v, %v; want cores and lcpu", filepath.Base(name), u, err)
		}
	}
	t.Logf("read %d files", len(names))
}

// A busy loop of a known length shows in the host's and in the process's own usage.
func TestThisHost(t *testing.T) {
	self := meter.ReadSelf()
	m, err := meter.Start(time.Second)
	if err != nil {
		t.Skip(err)
	}
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
	}
	own := meter.ReadSelf().Since(self)
	u, err := m.End()
	if err != nil {
		t.Fatal(err)
	}
	if own == nil || own.User <= 0 {
		t.Errorf("own usage: got %+v, want some user time", own)
	}
	if u.Cores <= 0 || u.Cores > float64(u.CPUs)*1.2 {
		t.Errorf("got %g cores of %d CPUs, want some and no more than there are", u.Cores, u.CPUs)
	}
}

func TestCgroupStat(t *testing.T) {
	at := time.Unix(1000, 0)
	text := "usage_usec 1500000\nuser_usec 500000\nsystem_usec 1000000\nnr_periods 0\n"
	before, err := meter.ParseCgroupStat(text, at)
	if err != nil {
		t.Fatal(err)
	}
	after, err := meter.ParseCgroupStat("core_sched.force_idle_usec 9\nusage_usec 2000000\nuser_usec 600000\nsystem_usec 1400000\n", at.Add(2*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	u, err := after.Since(before)
	if err != nil || math.Abs(u.Cores-0.25) > 1e-9 || math.Abs(u.User-0.05) > 1e-9 || math.Abs(u.System-0.2) > 1e-9 {
		t.Errorf("got %+v, %v; want 0.25 cores, 0.05 of them user, 0.2 system", u, err)
	}
	if got, err := before.Since(before); err == nil {
		t.Errorf("interval without length: got %+v", got)
	}
	back := *before
	back.At = at.Add(time.Minute)
	back.Usage--
	if got, err := back.Since(before); err == nil {
		t.Errorf("time that went back: got %+v", got)
	}
	for _, bad := range []string{"", "usage_usec 1\nuser_usec 1\n", "usage_usec x\nuser_usec 1\nsystem_usec 1\n", "usage_usec -1\nuser_usec 1\nsystem_usec 1\n"} {
		if got, err := meter.ParseCgroupStat(bad, at); err == nil {
			t.Errorf("%q: got %+v, want an error", bad, got)
		}
	}
}

func FuzzCgroupStat(f *testing.F) {
	f.Add("usage_usec 1500000\nuser_usec 500000\nsystem_usec 1000000\n")
	f.Add("usage_usec 9007199254740991\nuser_usec 0\nsystem_usec\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := meter.ParseCgroupStat(text, time.Unix(2, 0))
		if err == nil && (s.Usage < 0 || s.User < 0 || s.System < 0) {
			t.Errorf("got %+v", s)
		}
	})
}

func FuzzLparstat(f *testing.F) {
	f.Add(shared)
	f.Add("%user %sys lcpu\n")
	f.Fuzz(func(t *testing.T, text string) {
		if u, err := meter.ParseLparstat(text); err == nil && !(u.Cores >= 0) {
			t.Errorf("got %g cores", u.Cores)
		}
	})
}

func FuzzProcStat(f *testing.F) {
	f.Add("cpu  1150 20 540 9150 110 7 28 37 350 0\ncpu0 1 1 1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := meter.ParseProcStat(text, time.Unix(2, 0))
		if err != nil {
			return
		}
		u, err := s.Since(&meter.ProcStat{At: time.Unix(1, 0)})
		if err != nil || !(u.Cores >= 0) {
			t.Errorf("got %+v, %v", u, err)
		}
	})
}
