package sweeps

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/hub"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/history"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/transcripts"
)

// saved reads hosts of saved snapshots, as of now; one host refuses, and says where it is.
type saved struct{ all map[string]*collect.Snapshot }

const silent = "lpar2"

var errSilent = errors.New("lpar2: dial tcp 10.10.10.12:22: connect: connection refused; asked as alice by way of jump7.example.com")

func newSaved(t *testing.T) (s saved, secrets []string) {
	t.Helper()
	in, out := t.TempDir(), t.TempDir()
	secret := regexp.MustCompile(`\b10(?:\.\d{1,3}){3}\b|\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b|21SEA01`)
	found := map[string]bool{"lpar1": true, "lpar2": true, "vios1": true, "vios2": true, "alice": true, "jump7": true, "cec-payroll": true}
	for name, text := range transcripts.Texts(t) {
		err := os.WriteFile(filepath.Join(in, name+".txt"), []byte(text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range secret.FindAllString(text, -1) {
			group := strings.ContainsAny(word[1:2], "13579bdf") && strings.Contains(word, ":")
			found[word] = !group && word != "00:00:00:00:00:00"
		}
	}
	_, err := importer.Import(t.Context(), []string{in}, out, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := collect.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	s.all = map[string]*collect.Snapshot{}
	for _, x := range list {
		s.all[x.Manifest.Host] = x
	}
	for word, is := range found {
		if is {
			secrets = append(secrets, word)
		}
	}
	return s, secrets
}

func (s saved) Hosts(context.Context) ([]zone.Host, error) {
	var out []zone.Host
	for name := range s.all {
		out = append(out, zone.Host{Jump: "jump7.example.com", Host: message.Host{Name: name, Platform: "aix",
			Labels: map[string]string{"system": "cec-payroll", "alice": "alice"}, Groups: []string{"cec-payroll"}}})
	}
	return out, nil
}

func (s saved) Read(_ context.Context, _, host string) (map[string][]byte, error) {
	if host == silent {
		return nil, errSilent
	}
	x := *s.all[host]
	x.Manifest.Started, x.Manifest.Finished = time.Now().UTC(), time.Now().UTC()
	return x.Files()
}

// hidden are texts as they are, and what is compressed in them.
func hidden(data []byte) []byte {
	out := bytes.Clone(data)
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd}
	for rest := data; ; rest = rest[1:] {
		at := bytes.Index(rest, magic)
		if at < 0 {
			return bytes.ToLower(out)
		}
		rest = rest[at:]
		opener, err := zstd.NewReader(bytes.NewReader(rest), zstd.WithDecoderConcurrency(1))
		if err != nil {
			continue
		}
		text, _ := io.ReadAll(io.LimitReader(opener, 32<<20)) // what follows the frame is something else
		opener.Close()
		out = append(out, text...)
	}
}

// leaks are the secrets that data has.
func leaks(data []byte, secrets []string) (out []string) {
	text := hidden(data)
	for _, s := range secrets {
		if bytes.Contains(text, []byte(strings.ToLower(s))) {
			out = append(out, s)
		}
	}
	return out
}

// listened is all that goes over a queue.
type listened struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *listened) take(m *nats.Msg) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.WriteString(m.Subject + "\n")
	l.all.Write(m.Data)
}

// A zone with --redact gives nothing away: not in a message, not on the hub's disk, not in its history; its hosts
// have the same names in each sweep, and findings as they are.
func TestRedactedZone(t *testing.T) {
	reader, secrets := newSaved(t)
	files, err := reader.Read(t.Context(), "", "vios1")
	if err != nil || len(reader.all) != 4 || len(secrets) < 12 {
		t.Fatalf("%d hosts, %d secrets, %v", len(reader.all), len(secrets), err)
	}
	packer, err := message.NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	pack, _, err := packer.Seal(files)
	if err != nil || len(leaks(pack, secrets)) < 4 {
		t.Fatalf("the search finds %v in what is not redacted, %v", leaks(pack, secrets), err)
	}
	dir := t.TempDir()
	store, err := history.Open(t.Context(), "sqlite:"+filepath.Join(dir, "h.sqlite"), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	heard := &listened{}
	operator := sweptTwice(t, dir, store, reader, heard)
	spans, err := store.Hosts(t.Context(), time.Now().Add(time.Hour))
	if err != nil || len(spans) != 4 {
		t.Fatalf("the history has %+v, %v", spans, err)
	}
	var kept bytes.Buffer
	for _, h := range spans {
		if h.Zone != "dmz" || h.Snapshots != 2 && !h.NotSeen() {
			t.Errorf("got %+v, want two snapshots of each sweep's host", h)
		}
		kept.WriteString(h.Host + h.Why + h.Problem + "\n")
	}
	findings := 0
	for _, of := range []bool{true, false} {
		err = store.EachInterval(t.Context(), history.Intervals{Findings: of}, func(v history.Interval) error {
			kept.WriteString(v.Host + v.Element + v.Attribute)
			if v.Value != nil {
				kept.WriteString(*v.Value + "\n")
				findings += count(of && *v.Value == "FINDING")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if findings == 0 {
		t.Error("no rule finds anything")
	}
	list, err := store.Snapshots(t.Context(), time.Now().Add(time.Hour))
	for _, p := range list {
		s, err := store.Restore(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range texts {
			kept.WriteString(name)
			kept.Write(text)
		}
	}
	if err != nil || len(list) != 3 {
		t.Errorf("%d snapshots, %v", len(list), err)
	}
	heard.mu.Lock()
	defer heard.mu.Unlock()
	for what, data := range map[string][]byte{"messages": heard.all.Bytes(), "history": kept.Bytes(), "operator": operator, "disk": onDisk(t, dir)} {
		if got := leaks(data, secrets); len(data) == 0 || len(got) > 0 {
			t.Errorf("%s, %d bytes, give away %v", what, len(data), got)
		}
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// onDisk is all that is written below a folder.
func onDisk(t *testing.T, dir string) (all []byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(file)
		all = append(append(all, file[len(dir):]...), text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sweptTwice has a hub sweep a redacted zone two times, and gives what the operator is told.
func sweptTwice(t *testing.T, dir string, store *history.Store, reader zone.Reader, heard *listened) (told []byte) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var over sync.WaitGroup
	defer over.Wait()
	defer stop()
	h := hub.New()
	certificate, err := trust.Make(filepath.Join(t.TempDir(), "certificates"))
	if err != nil {
		t.Fatal(err)
	}
	server, err := queue.Start(ctx, queue.Options{Dir: filepath.Join(dir, "queue"), Listen: "127.0.0.1:0", TLS: certificate.Server(), Users: h.Users})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	inside, err := server.Connect()
	if err == nil {
		_, err = inside.Subscribe("fleet.>", heard.take) // lists of hosts, jobs, results, chunks, leases, outcomes
	}
	if err == nil {
		_, err = inside.Subscribe("$KV.>", heard.take)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	ready := make(chan struct{})
	over.Go(func() {
		err := h.Run(ctx, hub.Options{Queue: server, Keeper: &keeper{store, fleet.Access{}, past.NewJudges(ctx)}, Lease: 10 * time.Second,
			OnReady: func() { close(ready) }})
		if err != nil {
			t.Errorf("hub: %v", err)
		}
	})
	<-ready
	seed, public, err := trust.NewKey()
	if err == nil {
		_, err = control.Ask[control.Made](ctx, inside, control.AddZone, control.NewZone{Name: "dmz", Key: public})
	}
	if err != nil {
		t.Fatal(err)
	}
	spool := filepath.Join(dir, "spool")
	hide, err := newRedacted(reader, spool)
	if err != nil {
		t.Fatal(err)
	}
	token := &trust.Token{User: "dmz", Hubs: []string{server.Address().String()}, Pin: certificate.Pin, OwnCA: true, Seed: seed}
	over.Go(func() {
		err := zone.Run(ctx, zone.Options{Zone: "dmz", Spool: spool, Reader: hide, Redacted: true,
			Dial: func(o ...nats.Option) (*nats.Conn, error) { return queue.Dial(token, o...) }})
		if err != nil {
			t.Errorf("zone: %v", err)
		}
	})
	await.Until(t, "the hub knows the hosts", func() bool {
		all, err := control.Ask[[]control.ZoneState](ctx, inside, control.ListZones, control.Nothing{})
		return err == nil && all[0].Hosts == 4
	})
	for range 2 {
		s, err := control.Ask[*control.Sweep](ctx, inside, control.StartSweep, control.NewSweep{Within: control.Seconds(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		await.Until(t, "the sweep ends", func() bool {
			s, err = control.Ask[*control.Sweep](ctx, inside, control.SweepStatus, control.Named{Name: s.ID})
			return err == nil && !s.Ended.IsZero()
		})
		if s.Read != 3 || s.Failed != 1 {
			t.Errorf("got %+v", s)
		}
		told = append(told, s.Not[0].Reason+s.Not[0].Host+s.Not[0].Collector...)
	}
	return told
}
