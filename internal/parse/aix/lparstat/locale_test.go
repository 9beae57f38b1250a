package lparstat

import "testing"

// Headings and decimal points are the locale's.
func TestLocale(t *testing.T) {
	o, err := Parse([]byte("Systemkonfiguration: type=Shared mode=Capped smt=4 lcpu=8 mem=4096MB psize=2 ent=0.50\n" +
		"\n%user  %sys  %wait  %idle\n-----  ----  -----  -----\n  0,1   0,2    0,0   99,7\n"))
	if err != nil || len(o.Tables) != 1 || len(o.Tables[0].Config) != 7 {
		t.Errorf("%+v, %v", o, err)
	}
	p := &parser{Output: &Output{}, table: &Table{}, calls: true}
	read := p.call([]string{"cede", "12", "0,1", "3", "375", "1007"})
	if !read || p.table.Calls[0].Total != 0.1 {
		t.Errorf("%+v", p.table.Calls)
	}
}
