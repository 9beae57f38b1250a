package linewise

import "testing"

// One server is silent (Linux), one answers.
const nameServersLinux = "nameserver 192.0.2.53\nuptime 8123.11\n;; communications error to 192.0.2.53#53: timed out\n" +
	";; no servers could be reached\nuptime 8127.13\nnameserver 2001:db8::53\nuptime 8127.14\nAddress:\t2001:db8::53#53\nAddress: 127.0.0.1\nuptime 8127.16\n"

// The same with the shell's time, as on AIX.
const nameServersAIX = "nameserver 192.0.2.53\n*** Can't find server name for address 192.0.2.53: Timed out\nreal    0m4.02s\n" +
	"nameserver 192.0.2.54\nAddress:  192.0.2.54\n\nreal\t0m0.01s\nnameserver 192.0.2.55\nreal\t0m0.00s\n"

func TestParseNameServers(t *testing.T) {
	type server struct {
		address     string
		outcome     string
		least, most float64
	}
	tests := []struct {
		name, text string
		want       []server
	}{
		{"uptimes", nameServersLinux, []server{{"192.0.2.53", Silent, 4, 4.1}, {"2001:db8::53", Answered, 0, 0.1}}},
		{"time", nameServersAIX, []server{{"192.0.2.53", Silent, 4, 4.1}, {"192.0.2.54", Answered, 0, 0.1}, {"192.0.2.55", "", 0, 0.1}}},
	}
	for _, tt := range tests {
		got, err := ParseNameServers([]byte(tt.text))
		if err != nil || len(got.Servers) != len(tt.want) || len(got.Unknown) > 0 {
			t.Errorf("%s: got %+v, %v", tt.name, got, err)
			continue
		}
		for i, w := range tt.want {
			s := got.Servers[i]
			if s.Address != w.address || s.Outcome != w.outcome || s.Seconds == nil || *s.Seconds < w.least || *s.Seconds > w.most {
				t.Errorf("%s: got %+v, want %+v", tt.name, *s, w)
			}
		}
	}
	if _, err := ParseNameServers([]byte("real 0m1.00s\n")); err == nil {
		t.Error("a time of nothing is recognised")
	}
}
