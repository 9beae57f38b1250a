package history

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/collect"
)

var (
	fleetLike  = flag.String("like", "", "measure a history of copies of the hosts in the history of this URL; empty: not")
	fleetHosts = flag.Int("hosts", 1000, "of so many hosts")
	fleetDays  = flag.Int("days", 30, "of so many daily snapshots of each")
	fleetStore = flag.String("store", "", "URL of an empty history; empty: a SQLite file in a temporary folder")
)

const (
	addedAgain  = 1000               // hosts
	changesADay = 0.001              // of all facts
	sweepTakes  = time.Hour          // one host is read after the other
	attributeOf = "lsattr-El.%s.txt" // the output that shows most attributes of an element
)

// original is a host that is copied.
type original struct {
	name     string
	manifest collect.Manifest
	files    map[string][]byte
	names    []string // of files, sorted
	facts    []Fact
	lists    int64
}

// originals reads the hosts of a history as last read.
func originals(t *testing.T, location string) (all []*original) {
	t.Helper()
	s, err := Open(t.Context(), location, func(line string) { t.Log(line) })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Snapshots(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		o := &original{name: p.Host, files: map[string][]byte{}}
		snapshot, err := s.Restore(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		o.manifest = snapshot.Manifest
		for i := range o.manifest.Commands {
			r := &o.manifest.Commands[i]
			for name, read := range map[string]func(*collect.Record) ([]byte, error){r.Stdout: snapshot.Text, r.Stderr: snapshot.Stderr} {
				if name == "" {
					continue
				}
				o.files[name], err = read(r)
				if err != nil {
					t.Fatal(err)
				}
				o.names = append(o.names, name)
			}
		}
		slices.Sort(o.names)
		o.facts, o.lists = factsOf(t, s, p.Host)
		if len(o.facts) > 0 { // an HMC has none
			all = append(all, o)
		}
	}
	return all
}

// factsOf are the facts of a host as last read, and what its snapshot held whole.
func factsOf(t *testing.T, s *Store, host string) (facts []Fact, lists int64) {
	t.Helper()
	id, err := s.hostID(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	last, err := s.last(t.Context(), s.db, id)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.query(t.Context(), s.db, `SELECT e.text, a.text, f.layer, v.text, f.listing FROM fact f JOIN text e ON e.id = f.element
		JOIN text a ON a.id = f.attribute JOIN text v ON v.id = f.value WHERE f.host = ? AND f.state = 0 AND f.ended = ?`, id, int64(never))
	var f Fact
	err = each(rows, err, func() error {
		err := rows.Scan(&f.Element, &f.Attribute, &f.Layer, &f.Value, &f.Listing)
		facts = append(facts, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return facts, last.lists
}

// renaming gives the hosts and managed systems of a set of originals, and their addresses, new names.
func renaming(all []*original, n int) *strings.Replacer {
	var pairs []string
	seen := map[string]bool{}
	rename := func(old, now string) {
		if old != "" && !seen[old] {
			seen[old] = true
			pairs = append(pairs, old, now)
		}
	}
	for _, o := range slices.SortedFunc(slices.Values(all), func(a, b *original) int { return len(b.name) - len(a.name) }) {
		rename(o.name, fmt.Sprintf("%sx%05d", o.name, n))
	}
	for _, o := range all {
		for _, f := range o.facts {
			switch f.Attribute {
			case "MAC address":
				was := strings.Split(f.Value, ":")
				now := slices.Clone(was)
				if len(was) != 6 {
					continue
				}
				now[1], now[2], now[3] = fmt.Sprintf("%02x", n>>16), fmt.Sprintf("%02x", n>>8&255), fmt.Sprintf("%02x", n&255)
				for _, between := range []string{":", ""} {
					rename(strings.Join(was, between), strings.Join(now, between))
					rename(strings.ToUpper(strings.Join(was, between)), strings.ToUpper(strings.Join(now, between)))
				}
				for i := range was {
					was[i], now[i] = cmp.Or(strings.TrimLeft(was[i], "0"), "0"), cmp.Or(strings.TrimLeft(now[i], "0"), "0")
				}
				rename(strings.Join(was, "."), strings.Join(now, "."))
			case "managed system":
				serial := f.Value[strings.LastIndexAny(f.Value, "*-, ")+1:]
				if len(serial) >= 6 {
					rename(serial, fmt.Sprintf("%s%05X", serial[:2], n))
				}
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// copied is a host of the fleet.
type copied struct {
	of      *original
	names   *strings.Replacer
	offset  time.Duration // when it is read, in each sweep
	id      int64
	again   bool                // it is added once more at the end
	sums    [][sha256.Size]byte // of its files, in the order of their names, as last read or changed
	changed map[int]string      // facts that are other ones than on the first day, with their values
	texts   map[string][]byte   // files that are
}

func (c *copied) name() string { return c.names.Replace(c.of.name) }

// facts are the facts now.
func (c *copied) facts() (out []Fact) {
	for i := range c.of.facts {
		out = append(out, c.fact(i))
	}
	return out
}

func (c *copied) fact(i int) Fact {
	f := c.of.facts[i]
	f.Element, f.Value = c.names.Replace(f.Element), c.names.Replace(f.Value)
	now, changed := c.changed[i]
	if changed {
		f.Value = now
	}
	return f
}

// text is an output now.
func (c *copied) text(name string) []byte {
	now, changed := c.texts[name]
	if changed {
		return now
	}
	return []byte(c.names.Replace(string(c.of.files[name])))
}

// reading is a snapshot of the host now.
func (c *copied) reading(at time.Time) Reading {
	m := c.of.manifest
	m.Host = c.name()
	m.Started = at.Add(c.offset)
	files := map[string][]byte{}
	c.sums = nil
	for _, name := range c.of.names {
		files[name] = c.text(name)
		c.sums = append(c.sums, sha256.Sum256(files[name]))
	}
	return Reading{Snapshot: collect.NewSnapshot(m, files), Facts: c.facts(), Lists: c.of.lists}
}

// document is the same as it is kept, by the digests alone.
func (c *copied) document(t *testing.T) []byte {
	m := c.of.manifest
	m.Host = c.name()
	m.Started, m.Finished = time.Time{}, time.Time{}
	m.Commands = slices.Clone(m.Commands)
	for i := range m.Commands {
		m.Commands[i].Start, m.Commands[i].DurationMS = time.Time{}, 0
	}
	d := document{Manifest: m, Files: map[string]string{}}
	for i, name := range c.of.names {
		d.Files[name] = hex.EncodeToString(c.sums[i][:])
	}
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// change sets an attribute of the next boot to another value, in the output and as a fact; false: it shows none.
func (c *copied) change(random *rand.Rand) (fact int, file string, ok bool) {
	i := random.IntN(len(c.of.facts))
	f := c.of.facts[i]
	file = fmt.Sprintf(attributeOf, f.Element)
	place := slices.Index(c.of.names, file)
	if f.Layer != NextBoot || place < 0 {
		return 0, "", false
	}
	text := c.text(file)
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(f.Attribute) + `( +)(\S+)`)
	found := line.FindSubmatchIndex(text)
	if found == nil {
		return 0, "", false
	}
	opposite := map[string]string{"yes": "no", "no": "yes", "on": "off", "off": "on", "1": "0", "0": "1"}
	now, known := opposite[string(text[found[4]:found[5]])]
	if !known {
		now = fmt.Sprint(random.IntN(4096))
	}
	c.texts[file] = slices.Concat(text[:found[4]], []byte(now), text[found[5]:])
	c.changed[i] = now
	c.sums[place] = sha256.Sum256(c.texts[file])
	return i, file, true
}

// TestFleet builds a history of many hosts and asks it:
//
//	go test ./internal/history -run TestFleet -v -timeout 2h -like sqlite:FILE -hosts 50000
//
// The first day is added as snapshots are; of the others rows are written as Add would, without
// the look at what the history has. The next day is added again: it must bring no new fact.
func TestFleet(t *testing.T) {
	if *fleetLike == "" {
		t.Skip("it is measured with -like URL")
	}
	location := *fleetStore
	if location == "" {
		location = "sqlite:" + filepath.Join(t.TempDir(), "h.sqlite")
	}
	all := originals(t, *fleetLike)
	s := opened(t, location)
	var hosts []*copied
	var names *strings.Replacer
	for n := range *fleetHosts {
		if n%len(all) == 0 { // the hosts of a set keep their links
			names = renaming(all, n/len(all))
		}
		hosts = append(hosts, &copied{of: all[n%len(all)], names: names, offset: sweepTakes / time.Duration(*fleetHosts) * time.Duration(n),
			again: n < addedAgain, changed: map[int]string{}, texts: map[string][]byte{}})
	}
	began := time.Now()
	added := sweepOf(t, s, hosts, day(0))
	t.Logf("%d hosts of %d kinds, %d facts: first day in %.1f s", added.New, len(all), added.Facts, time.Since(began).Seconds())
	began = time.Now()
	b := &builder{t: t, s: s, hosts: hosts, random: rand.New(rand.NewPCG(1, 1)), changes: int(changesADay * float64(added.Facts))}
	for _, c := range hosts {
		_, err := s.one(t.Context(), s.db, []any{&c.id}, "SELECT id FROM host WHERE name = ?", c.name())
		if err != nil {
			t.Fatal(err)
		}
	}
	for d := 1; d < *fleetDays; d++ {
		err := s.within(t.Context(), func(tx *transaction) error { return b.add(t.Context(), tx, d) })
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d days with %d changed facts each by rows in %.1f s", *fleetDays-1, b.changes, time.Since(began).Seconds())
	err := s.within(t.Context(), func(tx *transaction) error { return s.putOutlines(t.Context(), tx) })
	if err != nil {
		t.Fatal(err)
	}
	some := hosts[:min(len(hosts), addedAgain)]
	began = time.Now()
	added = sweepOf(t, s, some, day(*fleetDays))
	t.Logf("%d unchanged snapshots in %.2f s, %d new facts", added.New, time.Since(began).Seconds(), added.Facts+added.Changed)
	if added.New != len(some) || added.Facts+added.Changed > 0 {
		t.Errorf("the rows are not those of Add: %+v", added)
	}
	if s.dialect.name == sqliteDialect.name {
		var pages, size int64
		_, err := s.one(t.Context(), s.db, []any{&pages}, "PRAGMA page_count")
		if err == nil {
			_, err = s.one(t.Context(), s.db, []any{&size}, "PRAGMA page_size")
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%.1f MB, %.1f KB a host", float64(pages*size)/1e6, float64(pages*size)/1e3/float64(len(hosts)))
	}
}

// sweepOf adds snapshots of hosts as they are now.
func sweepOf(t *testing.T, s *Store, hosts []*copied, at time.Time) Added {
	t.Helper()
	w, err := s.Begin(t.Context(), "copies")
	if err != nil {
		t.Fatal(err)
	}
	for some := range slices.Chunk(hosts, 250) {
		var readings []Reading
		for _, c := range some {
			readings = append(readings, c.reading(at))
		}
		err := w.Add(t.Context(), readings)
		if err != nil {
			t.Fatal(err)
		}
	}
	return w.Added
}

// builder writes the rows of later days.
type builder struct {
	t       *testing.T
	s       *Store
	hosts   []*copied
	random  *rand.Rand
	changes int // a day
}

// add writes the snapshots of a day.
func (b *builder) add(ctx context.Context, tx *transaction, d int) error {
	var sweep int64
	_, err := b.s.one(ctx, tx, []any{&sweep}, "INSERT INTO sweep (added, source) VALUES (?, 'copies') RETURNING id", stamp(time.Now()))
	if err != nil {
		return err
	}
	touched := map[int]map[int]bool{}
	written := map[int]map[string]bool{}
	for n := 0; n < b.changes; {
		host := b.random.IntN(len(b.hosts))
		fact, file, ok := b.hosts[host].change(b.random)
		if !ok {
			continue
		}
		if touched[host] == nil {
			touched[host], written[host] = map[int]bool{}, map[string]bool{}
		}
		touched[host][fact], written[host][file] = true, true
		n++
	}
	for host := range touched {
		err = b.addChanged(ctx, tx, b.hosts[host], day(d), sweep, touched[host], written[host])
		if err != nil {
			return err
		}
	}
	step := int64(24 * time.Hour)
	err = b.s.exec(ctx, tx, `INSERT INTO snapshot (host, taken, sweep, digest, lists, problem, document, judging, facts)
		SELECT host, taken + ?, ?, digest, lists, problem, document, judging, facts FROM snapshot s WHERE taken >= ? AND taken < ?
		AND NOT EXISTS (SELECT 1 FROM snapshot n WHERE n.host = s.host AND n.taken = s.taken + ?)`,
		step, sweep, stamp(day(d-1)), stamp(day(d)), step)
	if err != nil {
		return err
	}
	return b.s.exec(ctx, tx, "UPDATE host SET last_taken = first_taken + ?, snapshots = ?", int64(d)*step, d+1)
}

// addChanged writes the snapshot of a host in which facts changed.
func (b *builder) addChanged(
	ctx context.Context, tx *transaction, c *copied, at time.Time, sweep int64, facts map[int]bool, files map[string]bool,
) error {
	taken := stamp(at.Add(c.offset))
	texts := map[[sha256.Size]byte]readFile{}
	for name := range files {
		text := c.text(name)
		texts[sha256.Sum256(text)] = func() ([]byte, error) { return text, nil }
	}
	doc := c.document(b.t)
	number, err := b.s.putDocument(ctx, tx, &Document{text: doc, files: texts})
	if err != nil {
		return err
	}
	for i := range facts {
		f := c.fact(i)
		all, err := numberFacts(ctx, b.s, tx, []Fact{f})
		if err != nil {
			return err
		}
		k := slices.Collect(maps.Keys(all))[0]
		var was int64
		where := " WHERE host = ? AND element = ? AND attribute = ? AND layer = ? AND ended = ?"
		_, err = b.s.one(ctx, tx, []any{&was}, "SELECT value FROM fact"+where, c.id, k.element, k.attribute, k.layer, int64(never))
		if err != nil {
			return err
		}
		if was == all[k].value { // set and set back on one day
			continue
		}
		err = b.s.exec(ctx, tx, "UPDATE fact SET ended = ?"+where, taken, c.id, k.element, k.attribute, k.layer, int64(never))
		if err != nil {
			return err
		}
		err = b.s.insert(ctx, tx, c.id, []interval{{key: k, listing: f.Listing, began: taken, ended: never, value: all[k].value}})
		if err != nil {
			return err
		}
	}
	sum := sha256.Sum256(doc)
	digest := sum[:] // of the facts, too: of hosts that are not added again it says nothing
	if c.again {
		r := Reading{Facts: c.facts(), Lists: c.of.lists}
		digest = r.digest()
	}
	w := &Sweep{s: b.s, id: sweep}
	return w.keep(ctx, tx, entry{host: c.id, at: taken, digest: sum[:], lists: c.of.lists, problem: c.of.manifest.Error,
		document: number, facts: digest})
}
