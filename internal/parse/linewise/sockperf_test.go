package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
)

const sockperfRun = "sockperf: [Total Run] RunTime=1.000 sec; Warm up time=400 msec; SentMessages=2001; ReceivedMessages=2000\n" +
	"sockperf: [Valid Duration] RunTime=0.500 sec; SentMessages=900; ReceivedMessages=899\n" +
	"sockperf: \x1b[2;35m====> avg-latency=27.774 (std-dev=5.591)\x1b[0m\n"

func TestParseSockperf(t *testing.T) {
	o, err := ParseSockperf([]byte(sockperfRun))
	if err != nil || o.Seconds != 0.5 || o.Received != 899 {
		t.Errorf("got %+v, %v; want 899 in 0.5 s", o, err)
	}
	for _, text := range []string{"", "sockperf: No messages were received from the server.", "[Valid Duration] RunTime=0.000 sec; SentMessages=0; ReceivedMessages=0"} {
		if o, err := ParseSockperf([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v; want ErrNotRecognised", text, o, err)
		}
	}
}
