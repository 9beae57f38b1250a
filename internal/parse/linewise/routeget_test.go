package linewise

import "testing"

const routeSample = `   route to: db7.example.com
destination: default
       mask: default
    gateway: 192.0.2.1
  interface: en3
interf addr: web1
      flags: <UP,GATEWAY,DONE,STATIC>
 recvpipe  sendpipe  ssthresh  rtt,msec    rttvar  hopcount      mtu     expire
       0         0         0        12         3         0      1400         0
`

func TestParseRouteGet(t *testing.T) {
	r, err := ParseRouteGet([]byte(routeSample))
	if err != nil || len(r.Unknown) > 0 || r.RTT == nil || r.MTU == nil {
		t.Fatalf("got %+v, %v; want a route", r, err)
	}
	if r.To != "db7.example.com" || r.Interface != "en3" || *r.RTT != 12 || *r.RTTVar != 3 || *r.MTU != 1400 {
		t.Errorf("got %+v, rtt %d, mtu %d", r, *r.RTT, *r.MTU)
	}
}
