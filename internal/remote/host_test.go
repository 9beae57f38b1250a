package remote_test

import (
	"errors"
	"testing"

	"seaworthy/internal/remote"
)

func TestOn(t *testing.T) {
	lost := &remote.Error{Host: "lpar1", Command: "uname -a", Err: remote.ErrLost}
	for _, x := range []struct {
		host string
		err  error
		want string
	}{
		{"lpar1", errors.New("no answer"), "lpar1: no answer"},
		{"lpar1", lost, "lpar1: uname -a: connection lost"},
		{"lpar", lost, "lpar: lpar1: uname -a: connection lost"},
	} {
		got := remote.On(x.host, x.err)
		if got.Error() != x.want || !errors.Is(got, x.err) {
			t.Errorf("%s, %v: got %q, want %q around it", x.host, x.err, got, x.want)
		}
	}
}
