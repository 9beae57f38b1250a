package probe_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/test/await"
)

const token = "00112233445566778899aabbccddeeff"

// helper runs a helper in this process and gives its client and a function
// that closes its stdin and waits for its end.
func helper(t *testing.T) (*probe.Client, func() error) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- probe.Serve(context.Background(), inR, outW, "test")
		outW.Close()
	}()
	c, err := probe.NewClient(t.Context(), inW, outR)
	if err != nil {
		t.Fatal(err)
	}
	closed := false
	end := func() error {
		closed = true
		inW.Close()
		select {
		case err := <-ended:
			return err
		case <-time.After(20 * time.Second):
			return errors.New("the helper outlived its stdin")
		}
	}
	t.Cleanup(func() {
		if !closed {
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	})
	return c, end
}

// trial runs one short load over loopback and gives both ends' views.
func trial(t *testing.T, listen, connect load.Spec) (lr, cr *probe.Report, ls, cs *load.Summary) {
	t.Helper()
	ctx := t.Context()
	a, _ := helper(t)
	b, _ := helper(t)
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	port, err := a.Listen(ctx, 0, listen, "127.0.0.1", 0)
	fatal(err)
	fatal(b.Connect(ctx, 0, connect, "127.0.0.1", port))
	fatal(a.Begin(ctx, 0.3, true))
	fatal(b.Begin(ctx, 0.3, true))
	await.Pause(600 * time.Millisecond)
	lr, err = a.End(ctx)
	fatal(err)
	cr, err = b.End(ctx)
	fatal(err)
	cs, err = b.Stop(ctx, 0)
	fatal(err)
	ls, err = a.Stop(ctx, 0)
	fatal(err)
	return lr, cr, ls, cs
}

func TestStream(t *testing.T) {
	for name, reverse := range map[string]bool{"forward": false, "reverse": true} {
		t.Run(name, func(t *testing.T) {
			spec := load.Spec{Kind: load.Stream, Connections: 2, Write: 64 << 10, Window: 128 << 10, Limit: 30, Token: token}
			l, c := spec, spec
			l.Send, c.Send = reverse, !reverse
			lr, cr, ls, cs := trial(t, l, c)
			receiver, sender := lr, cr
			if reverse {
				receiver, sender = cr, lr
			}
			if receiver.Loads[0].Received == 0 || receiver.Loads[0].Sent != 0 {
				t.Errorf("receiver: got %d bytes received and %d sent, want some and none", receiver.Loads[0].Received, receiver.Loads[0].Sent)
			}
			if sender.Loads[0].Sent == 0 || sender.Loads[0].Received != 0 {
				t.Errorf("sender: got %d bytes sent and %d received, want some and none", sender.Loads[0].Sent, sender.Loads[0].Received)
			}
			var sum uint64
			for _, n := range receiver.Loads[0].Connections {
				sum += n
			}
			if sum != receiver.Loads[0].Received || len(receiver.Loads[0].Connections) != 2 {
				t.Errorf("connections: got %v, want two that sum up to %d", receiver.Loads[0].Connections, receiver.Loads[0].Received)
			}
			for _, s := range []*load.Summary{ls, cs} {
				if len(s.Sockets) != 2 {
					t.Fatalf("got %d sockets, want 2", len(s.Sockets))
				}
				k := s.Sockets[0]
				if k.Requested != 128<<10 || k.Granted.Send == nil || k.Final.Receive == nil || k.Info.MSS == nil {
					t.Errorf("socket: got %+v, want requested, granted, final and MSS", k)
				}
			}
		})
	}
}

func TestRequestResponse(t *testing.T) {
	spec := load.Spec{Kind: load.RequestResponse, Connections: 3, Request: 700, Response: 300, NoDelay: true, Limit: 30, Token: token}
	ask := spec
	ask.Send = true
	lr, cr, _, cs := trial(t, spec, ask)
	n := cr.Loads[0].Transactions
	if n == 0 || cr.Loads[0].Sent != 700*n || cr.Loads[0].Received != 300*n {
		t.Errorf("asking end: got %d transactions, %d bytes sent, %d received; want sizes of 700 and 300", n, cr.Loads[0].Sent, cr.Loads[0].Received)
	}
	if lr.Loads[0].Transactions == 0 {
		t.Error("answering end: got no transactions")
	}
	l := cs.Latency
	if l == nil || l.Count == 0 || l.P50 <= 0 || l.P50 > l.P99 || l.P99 > l.P999 || l.P999 > l.Max || l.HdrV2 == "" {
		t.Errorf("latency: got %+v, want rising percentiles and a histogram", l)
	}
	if uint64(l.Count) > n {
		t.Errorf("latency: got %d kept of %d transactions", l.Count, n)
	}
}

func TestPeerDies(t *testing.T) {
	ctx := t.Context()
	a, _ := helper(t)
	b, end := helper(t)
	spec := load.Spec{Kind: load.Stream, Connections: 1, Write: 4096, Limit: 30, Token: token}
	port, err := a.Listen(ctx, 0, spec, "127.0.0.1", 0)
	if err != nil {
		t.Fatal(err)
	}
	spec.Send = true
	if err := b.Connect(ctx, 0, spec, "127.0.0.1", port); err != nil {
		t.Fatal(err)
	}
	if err := a.Begin(ctx, 1, true); err != nil {
		t.Fatal(err)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	await.Pause(300 * time.Millisecond) // nothing outside the helper tells that it noticed
	_, err = a.End(ctx)
	var refused *probe.RequestError
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "closed") {
		t.Errorf("end after the peer's death: got %v, want an error that says so", err)
	}
	if _, err := b.End(ctx); !errors.Is(err, probe.ErrEnded) && !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("request to a dead helper: got %v, want ErrEnded", err)
	}
}

func TestStrangerIsNotCounted(t *testing.T) {
	ctx := t.Context()
	a, _ := helper(t)
	b, _ := helper(t)
	spec := load.Spec{Kind: load.Stream, Connections: 1, Write: 4096, Limit: 2, Token: token}
	port, err := a.Listen(ctx, 0, spec, "127.0.0.1", 0)
	if err != nil {
		t.Fatal(err)
	}
	spec.Send, spec.Token = true, strings.Repeat("f", 32)
	if err := b.Connect(ctx, 0, spec, "127.0.0.1", port); err != nil {
		t.Fatal(err)
	}
	if err := a.Begin(ctx, 1, true); err == nil {
		t.Error("a stranger's connection was taken for the trial's")
	}
}

func TestRefused(t *testing.T) {
	ctx := t.Context()
	c, _ := helper(t)
	good := load.Spec{Kind: load.Stream, Connections: 1, Write: 1, Limit: 1, Token: token}
	with := func(f func(*load.Spec)) load.Spec { s := good; f(&s); return s }
	for name, s := range map[string]load.Spec{
		"no kind":        with(func(s *load.Spec) { s.Kind = "" }),
		"no connections": with(func(s *load.Spec) { s.Connections = 0 }),
		"huge write":     with(func(s *load.Spec) { s.Write = 1 << 40 }),
		"short token":    with(func(s *load.Spec) { s.Token = "00" }),
		"no limit":       with(func(s *load.Spec) { s.Limit = 0 }),
		"window":         with(func(s *load.Spec) { s.Window = -1 }),
	} {
		if _, err := c.Listen(ctx, 0, s, "", 0); err == nil {
			t.Errorf("%s: listen was granted, want an error", name)
		}
	}
	if err := c.Connect(ctx, 0, good, "127.0.0.1", 1); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("connect to a closed port: got %v, want connection refused", err)
	}
	if _, err := c.End(ctx); err == nil {
		t.Error("end without begin was granted")
	}
}

func TestNoHello(t *testing.T) {
	for name, out := range map[string]string{
		"nothing":        "",
		"shell message":  "sh: seaworthy-probe: not found\n",
		"other program":  `{"program":"x"}` + "\n",
		"binary rubbish": "\x00\xff\xfe\n",
	} {
		_, err := probe.NewClient(t.Context(), io.Discard, strings.NewReader(out))
		if !errors.Is(err, probe.ErrNoHello) {
			t.Errorf("%s: got %v, want ErrNoHello", name, err)
		}
	}
	hello, _ := json.Marshal(probe.Hello{Program: "seaworthy-probe", Protocol: probe.Protocol + 1})
	if _, err := probe.NewClient(t.Context(), io.Discard, bytes.NewReader(append(hello, '\n'))); !errors.Is(err, probe.ErrProtocol) {
		t.Errorf("newer helper: got %v, want ErrProtocol", err)
	}
}

// FuzzServe sends rubbish on the control channel: the helper answers every
// line with one reply and ends with its input.
func FuzzServe(f *testing.F) {
	f.Add([]byte("rubbish\n"))
	f.Add([]byte(`{"id":1,"op":"listen"}` + "\n" + `{"id":2,"op":"end"}` + "\n"))
	f.Add([]byte(`{"id":1,"op":"begin","seconds":1e300}` + "\n[]\nnull\n\"x\"\n"))
	f.Add([]byte(`{"op":"stop","load":{"kind":"stream","connections":-1}}`))
	f.Add([]byte(`{"op":"listen","address":"::1%x","load":{"kind":"rr","connections":1,"request":1,"response":1,"limit":1,"token":"` + token + `"}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte("connect")) {
			t.Skip("would leave this machine")
		}
		var out bytes.Buffer
		if err := probe.Serve(t.Context(), bytes.NewReader(in), &out, "fuzz"); err != nil && !errors.Is(err, bufio.ErrTooLong) {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(&out)
		for n := 0; sc.Scan(); n++ {
			var v any
			if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
				t.Fatalf("line %d of the answers is no JSON: %q", n, sc.Bytes())
			}
		}
	})
}
