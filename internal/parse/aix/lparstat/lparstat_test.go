package lparstat_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[lparstat.Output]{
	Parse:  lparstat.Parse,
	Report: func(o *lparstat.Output) *parse.Report { return &o.Report },
}

const partition = `Node Name                                  : lpar1 
Partition Name                             : 0042
Partition Number                           : 61
Type                                       : Shared-SMT-4
Mode                                       : Uncapped
Entitled Capacity                          : 0.30
Online Virtual CPUs                        : 2
Online Memory                              : 16384 MB
Variable Capacity Weight                   : 128
Shared Pool ID                             : -
Physical CPU Percentage                    : 15.00%
Unallocated Variable Memory Capacity Weight: -
Sub Processor Mode                         : -
`

const interval = `
System configuration: type=Shared mode=Uncapped smt=4 lcpu=36 mem=921600MB psize=16 ent=8.00 

%user  %sys  %wait  %idle physc %entc  lbusy   app  vcsw phint  %nsp  %utcyc
----- ----- ------ ------ ----- ----- ------   --- ----- ----- -----  ------
  0.9   0.7    0.0   98.4  0.34   4.2    1.1 15.30  3760     0   113  11.19 
  0.4   0.3    0.0   99.3  0.17   2.1    0.2 15.37  3111     0   101   1.06 
`

const hypervisor = `
System configuration: type=Shared mode=Capped smt=4 lcpu=28 mem=43008MB psize=16 ent=1.30 

           Detailed information on Hypervisor Calls

Hypervisor        	    Number of    %Total Time   %Hypervisor   Avg Call    Max Call
  Call              	      Calls         Spent      Time Spent    Time(ns)    Time(ns)

remove                         477            0.0           1.5        642        1687
h_put_tce_indirect               0            0.0           0.0          0           0
--------------------------------------------------------------------------------
`

func TestPartition(t *testing.T) {
	o := codec.Read(t, partition)
	if len(o.Unknown) > 0 || len(o.Warnings) > 0 {
		t.Errorf("report: got %+v", o.Report)
	}
	for label, want := range map[string]string{"Node Name": "lpar1", "Partition Name": "0042", "Type": "Shared-SMT-4", "mode": "Uncapped"} {
		if got, ok := o.Text(label); got != want || !ok {
			t.Errorf("%s: got %q %v, want %q", label, got, ok, want)
		}
	}
	for label, want := range map[string]float64{"Entitled Capacity": 0.3, "Online Memory": 16384, "Physical CPU Percentage": 15} {
		if got, ok := o.Float(label); got != want || !ok {
			t.Errorf("%s: got %v %v, want %v", label, got, ok, want)
		}
	}
	if n, ok := o.Int("Online Virtual CPUs"); n != 2 || !ok {
		t.Errorf("Online Virtual CPUs: got %d %v, want 2", n, ok)
	}
	for _, label := range []string{"Shared Pool ID", "Sub Processor Mode", "No Such Label"} {
		if n, ok := o.Float(label); ok {
			t.Errorf("%s: got %v, want none", label, n)
		}
		if s, ok := o.Text(label); ok {
			t.Errorf("%s: got %q, want none", label, s)
		}
	}
}

func TestInterval(t *testing.T) {
	o := codec.Read(t, interval)
	if len(o.Unknown) > 0 || len(o.Tables) != 1 || len(o.Tables[0].Samples) != 2 {
		t.Fatalf("got %+v", o)
	}
	tab := o.Tables[0]
	for column, want := range map[string]float64{"physc": 0.34, "app": 15.3, "vcsw": 3760, "%utcyc": 11.19} {
		if got, ok := tab.Get(tab.Samples[0], column); got != want || !ok {
			t.Errorf("%s: got %v %v, want %v", column, got, ok, want)
		}
	}
	if f := tab.Config[6]; f.Name != "ent" || f.Number == nil || *f.Number != 8 {
		t.Errorf("ent: got %+v, want 8", f)
	}
	if f := tab.Config[4]; f.Name != "mem" || *f.Number != 921600 || f.Unit != "MB" {
		t.Errorf("mem: got %+v", f)
	}
	o = codec.Read(t, "System configuration: type=Dedicated mode=Donating smt=8 lcpu=16 mem=4096MB\n\n%user  %sys  %wait  %idle physc  vcsw   %nsp  %utcyc\n----- ----- ------ ------ ----- ----- ----- ------\n  0.1   0.2    0.0   99.7  0.07 1014627468   132  24.21")
	if n, ok := o.Tables[0].Get(o.Tables[0].Samples[0], "%nsp"); n != 132 || !ok {
		t.Errorf("donating %%nsp: got %v %v", n, ok)
	}
	if n, ok := o.Tables[0].Get(o.Tables[0].Samples[0], "%entc"); ok {
		t.Errorf("donating %%entc: got %v, the table has no such column", n)
	}
}

func TestHypervisor(t *testing.T) {
	o := codec.Read(t, hypervisor)
	if len(o.Unknown) > 0 || len(o.Tables) != 1 || len(o.Tables[0].Calls) != 2 {
		t.Fatalf("got %+v, unknown %v", o.Tables, o.Unknown)
	}
	if c := o.Tables[0].Calls[0]; c.Name != "remove" || c.Count != 477 || c.Hypervisor != 1.5 || c.Max != 1687 {
		t.Errorf("remove: got %+v", c)
	}
}

// Other locales and cut lines: a number only where it cannot be another one.
func TestDoubtful(t *testing.T) {
	o := codec.Read(t, "Node Name : a\nEntitled  Capacity    :  4,00\nMaximum Capacity : 1,000\nPhysical CPU Percentage : 1\nOnline Memory : 16\nMinimum Capacity : 0.1.2\n")
	if n, ok := o.Float("Entitled Capacity"); n != 4 || !ok {
		t.Errorf("4,00: got %v %v, want 4", n, ok)
	}
	for _, label := range []string{"Maximum Capacity", "Physical CPU Percentage", "Online Memory", "Minimum Capacity"} {
		if n, ok := o.Float(label); ok {
			t.Errorf("%s: got %v, want none", label, n)
		}
	}
	if len(o.Warnings) != 5 {
		t.Errorf("warnings: got %v, want one for each of lines 2 to 6", o.Warnings)
	}
	o = codec.Read(t, strings.NewReplacer("0.9", "0,9", "0.34", "0,34").Replace(interval))
	if n, ok := o.Tables[0].Get(o.Tables[0].Samples[0], "physc"); n != 0.34 || !ok || len(o.Warnings) != 1 {
		t.Errorf("decimal commas: got physc %v %v, warnings %v", n, ok, o.Warnings)
	}
	o = codec.Read(t, strings.Replace(interval, "  0.34   4.2", "100.0100.0", 1))
	if len(o.Tables[0].Samples) != 1 || len(o.Unknown) != 1 {
		t.Errorf("two values grown together: got %+v, want the line kept as unknown", o.Tables[0].Samples)
	}
	for _, text := range []string{"", "lparstat: not found\n", "Device Type: x\nLink: 1\n", "ksh: a=b\n"} {
		if _, err := lparstat.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

// Not every partition may see the pool, and there are more reports than one.
func TestOtherColumns(t *testing.T) {
	o := codec.Read(t, "System configuration: type=Shared mode=Uncapped smt=On lcpu=8 mem=32768MB ent=4.00\n\n%user %sys %wait %idle physc %entc lbusy app vcsw phint\n87.2 11.3 0.8 0.7 4.28 107.0 82.1 -- 12821 1821\n")
	if n, ok := o.Tables[0].Get(o.Tables[0].Samples[0], "app"); ok {
		t.Errorf("app printed as --: got %v", n)
	}
	if n, ok := o.Tables[0].Get(o.Tables[0].Samples[0], "vcsw"); n != 12821 || !ok {
		t.Errorf("vcsw: got %v %v", n, ok)
	}
	o = codec.Read(t, "System configuration: type=Shared mode=Uncapped mmode=Ded mem=8192MB\n\nphysb   hpi  hpit  pmem\n----- ----- ----- -----\n 0.14     0     0  8.00\n")
	if n, ok := o.Tables[0].Get(o.Tables[0].Samples[0], "pmem"); n != 8 || !ok || len(o.Unknown) > 0 {
		t.Errorf("pmem: got %v %v, unknown %v", n, ok, o.Unknown)
	}
	if _, err := lparstat.Parse([]byte("\nSystem configuration: lcpu=2 mem=1024MB ent=0.40\n\nkthr    memory\n")); !errors.Is(err, parse.ErrNotRecognised) {
		t.Errorf("vmstat's heading: got %v, want ErrNotRecognised", err)
	}
}

func TestCorpus(t *testing.T) {
	codec.Corpus(t, *update, "lparstat/*", "lparstat_i/*", "lparstat_H/*", "linux/lparstat/*")
}

func TestDamaged(t *testing.T) {
	for _, text := range []string{partition, interval, hypervisor} {
		codec.Damaged(t, text)
	}
}

func TestFast(t *testing.T) {
	for _, text := range []string{partition, interval, hypervisor} {
		codec.Fast(t, text)
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, partition, interval, hypervisor, "Type : -0\nMode:   \n") }
