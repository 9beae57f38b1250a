package linewise

import "testing"

const filesetSample = `#Package Name:Fileset:Level:State:PTF Id:Fix State:Type:Description:Destination Dir.:Uninstaller:Message Catalog:` +
	`Message Set:Message Number:Parent:Automatic:EFIX Locked:Install Path:Build Date
bos.net.tcp.client:bos.net.tcp.client:7.2.5.4: : :C:F:TCP/IP Client Support: : : : : : :0:0:/:2114
devices.common.IBM.ethernet:devices.common.IBM.ethernet.rte:7.2.5.2: : :A:F:Common Ethernet Software: : : : : : :0:1:/:2114
`

func TestParseFilesets(t *testing.T) {
	l, err := ParseFilesets([]byte(filesetSample))
	if err != nil || len(l.Filesets) != 2 || len(l.Unknown) > 0 {
		t.Fatalf("got %+v, %v; want two filesets", l, err)
	}
	got := *l.Filesets[1]
	want := Fileset{Name: "devices.common.IBM.ethernet.rte", Level: "7.2.5.2", Fix: "A", Locked: true, Lock: "1"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if l.Filesets[0].Locked {
		t.Error("bos.net.tcp.client is not locked")
	}
}

const filesetTable = `  Fileset                      Level  State  Type  Description (Uninstaller)
  ----------------------------------------------------------------------------
  bos.cluster.rte           7.1.5.36    C     F    Cluster Aware AIX
  bos.net.tcp.client         7.1.5.2    A     F    TCP/IP Client Support

State codes:
 A -- Applied.
 C -- Committed.
`

func TestParseFilesetTable(t *testing.T) {
	l, err := ParseFilesets([]byte(filesetTable))
	if err != nil || len(l.Filesets) != 2 || len(l.Unknown) > 0 {
		t.Fatalf("got %+v, %v; want two filesets", l, err)
	}
	if got, want := *l.Filesets[1], (Fileset{Name: "bos.net.tcp.client", Level: "7.1.5.2", Fix: "A"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
