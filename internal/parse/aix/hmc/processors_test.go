package hmc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A partition that does not run has no processors: its zeros are no entitlement.
func TestProcessors(t *testing.T) {
	text := "lpar_name=a,lpar_id=5,curr_proc_mode=shared,curr_proc_units=0.3,curr_procs=1,curr_sharing_mode=cap,curr_uncap_weight=0\n" +
		"lpar_name=b,lpar_id=6,curr_proc_mode=shared,curr_proc_units=1.0,curr_procs=2,curr_sharing_mode=uncap,curr_uncap_weight=128\n" +
		"lpar_name=c,lpar_id=7,curr_proc_mode=ded,curr_procs=4,curr_sharing_mode=share_idle_procs\n" +
		"lpar_name=d,lpar_id=8,curr_proc_mode=shared,curr_proc_units=0.0,curr_procs=0,curr_sharing_mode=uncap,curr_uncap_weight=\n" +
		"lpar_name=e,lpar_id=9,curr_mem=1\n"
	want := []Processors{
		{LPAR: "a", LPARID: number(5), Units: new(0.3), Procs: number(1), Sharing: "cap", Line: 1},
		{LPAR: "b", LPARID: number(6), Units: new(1.0), Procs: number(2), Sharing: "uncap", Weight: number(128), Line: 2},
		{LPAR: "c", LPARID: number(7), Dedicated: true, Procs: number(4), Sharing: "share_idle_procs", Line: 3},
		{LPAR: "d", LPARID: number(8), Procs: number(0), Sharing: "uncap", Line: 4},
	}
	if d := cmp.Diff(want, codec.Read(t, text).Processors()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
