package redact

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/planted"
)

// plantInto puts secrets into the fields of outputs and looks for them in what is
// left after redaction. It gives how many were planted.
func plantInto(t *testing.T, sources []planted.Output) int {
	t.Helper()
	seen := map[string]int{}
	next, count, came := 0, 0, 0
	for _, o := range sources {
		fields := o.Fields(seen)
		if len(fields) == 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(planted.Disguises)) {
			text, secrets := o.In(fields, planted.Disguises[name], next)
			r := New(testKey(t))
			r.Learn([]byte(text))
			read := string(r.Output(o.ID, o.Command, []byte(text)))
			strict := string(r.text(o.ID, []byte(text), func(int) bool { return false })) // as if its codec understood every line
			for i, s := range secrets {
				if isLevelField(o, fields[i], s) {
					continue
				}
				count++
				if left := append(s.Left(read), s.Left(strict)...); len(left) > 0 {
					came++
					if came <= 60 {
						t.Errorf("%s: %s: %s: %q came through as %q:\n%s", o.Name, fields[i].Path, name, s.Planted, left, lineOf(read+"\n"+strict, left[0]))
					}
				}
			}
			next += len(fields) // no word twice
		}
	}
	t.Logf("%d secrets planted in %d fields of %d outputs, %d came through", count, len(seen), len(sources), came)
	return count
}

// lineOf is the line in which a word stands.
func lineOf(text, word string) string {
	for line := range strings.Lines(strings.ToLower(text)) {
		if strings.Contains(line, strings.ToLower(word)) {
			return line
		}
	}
	return ""
}

// isLevelField says whether four numbers in a field are a level: that is what the
// output says there.
func isLevelField(o planted.Output, f planted.Field, s planted.Secret) bool {
	line := o.Text[strings.LastIndexByte(o.Text[:f.From], '\n')+1 : f.From]
	return strings.HasPrefix(s.Planted, "5.") && (levels[o.ID] || version.MatchString(line))
}

// pastWord is what a word goes on with.
var pastWord = regexp.MustCompile(`[\pL\pN_]`)

func TestSecretsPlantedInRealOutputs(t *testing.T) {
	outputs := planted.Real(t, 12)
	if n := plantInto(t, outputs); n < 8*len(outputs) {
		t.Errorf("only %d secrets were planted: the test would prove little", n)
	}
}

func TestSecretsPlantedInTranscripts(t *testing.T) {
	if n := plantInto(t, planted.Transcripts(t)); n < 500 {
		t.Errorf("only %d secrets were planted: the test would prove little", n)
	}
}

// Texts that programs wrote, with a place for a word of somebody's.
var proses = []string{
	"%s: connection refused", "ssh: connect to host %s port 22: No route to host", "ksh: %s: not found", "entstat -d ent0 %s",
	"ping -c 3 %s", "/home/%s/.profile: permission denied", "exit status 1: %s", "login of user %s was refused", "cat /etc/%s/network",
	"lshwres -r virtualio -m %s --level lpar", "the error was reported by %s on Thursday", "replaced by %s (%[1]s)", "{\"error\":\"%s\"}",
	"lsattr -El ent0 -a %s -F value", "name=%s,lpar_id=3", "sh -c 'echo %s'", "http://%s/path?q=1", "%s@host.example.com", "note: %s\n",
}

func TestSecretsPlantedInProse(t *testing.T) {
	n := 0
	for name, disguise := range planted.Disguises {
		for _, text := range proses {
			for range 10 {
				s := disguise(n, planted.Word(n))
				n++
				r := New(testKey(t))
				if got := r.String(fmt.Sprintf(text, s.Planted)); len(s.Left(got)) > 0 {
					t.Errorf("%s: %q came through in %q", name, s.Planted, got)
				}
			}
		}
	}
	for _, id := range []string{"P10234", "P1023", "AB123", "V7R2M0", "U9009", "00C8D2E4", "7812399", "E1C"} {
		if got := New(testKey(t)).String("opened by " + id + " at once"); strings.Contains(got, id) {
			t.Errorf("the id of a user came through in %q", got)
		}
	}
}

// Every field of a manifest, and the names of the files.
func TestSecretsPlantedInManifests(t *testing.T) {
	n := 0
	next := func(disguise func(int, string) planted.Secret, all *[]planted.Secret) string {
		s := disguise(n, planted.Word(n))
		n++
		*all = append(*all, s)
		return s.Planted
	}
	for name, disguise := range planted.Disguises {
		var all []planted.Secret
		src, dst := t.TempDir(), t.TempDir()
		m := collect.Manifest{Host: next(disguise, &all), Platform: next(disguise, &all), User: next(disguise, &all),
			Environment: next(disguise, &all), Error: "x: " + next(disguise, &all),
			Gaps: []model.Gap{{What: next(disguise, &all), Why: next(disguise, &all)}}}
		w, err := collect.NewWriter(src, m, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"ifconfig-a", next(disguise, &all)} {
			rec := collect.Record{ID: id, Element: next(disguise, &all), Attribute: next(disguise, &all), Line: "cat " + next(disguise, &all),
				Via: next(disguise, &all), Error: next(disguise, &all), From: next(disguise, &all)}
			text := "en0: flags=1e084863,480<UP>\n        inet 10.1.3.11 netmask 0xffffff00\n"
			if id != "ifconfig-a" {
				text = "" // an output that nothing reads is left out; its record stays
			}
			if err := w.Add(rec, []byte(text), []byte(next(disguise, &all))); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Folder(context.Background(), src, dst, testKey(t), false); err != nil {
			t.Fatal(err)
		}
		for path, text := range written(t, dst) {
			for _, s := range all {
				if left := s.Left(path + "\n" + text); len(left) > 0 {
					t.Errorf("%s: %q came through as %q in %s", name, s.Planted, left, path)
				}
			}
		}
	}
}

// written are the files below a folder, by their paths there.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

// Spellings of addresses that a shape has to know.
func TestSpellings(t *testing.T) {
	r := New(testKey(t))
	for _, s := range []string{
		"32:43:1:9:0:7", "50:5:7:68:1:40", "0:9:6b:dd:2:f3", "50:05:07:68:01:40:00:A1", "50:5:7:68:1:40:0:1", "5.9.71.82", "4.4.77.66",
		"arp_ip_target=5.6.7.8", "5.6.7.8.8080", "8.8.4.4:53", "[5.9.71.82]", "(4.4.77.66)", "fe80::1%rothschild", "1.2.3.4/24",
	} {
		got := string(r.Text("arp-an", []byte("? "+s+" at x\n")))
		value := strings.Trim(s[strings.LastIndexByte(s, '=')+1:], "[]()")
		if _, zone, ok := strings.Cut(value, "%"); ok {
			value = zone
		}
		if strings.Contains(got, value) {
			t.Errorf("%s came through: %s", s, got)
		}
	}
	long := string(r.Text("", []byte("00:09:6b:dd:02:f3")))
	short := string(r.Text("", []byte("0:9:6b:dd:2:f3")))
	if strings.TrimPrefix(strings.ReplaceAll(":"+long, ":0", ":"), ":") != short {
		t.Errorf("one MAC in two spellings became %s and %s", long, short)
	}
}

// An address is recognized in a host's name, with leading zeros and by groups of four digits, and joins with its
// usual spelling; numbers of people are not broken up by dashes.
func TestAddressesInOtherForms(t *testing.T) {
	r := New(testKey(t))
	text := func(s string) string { return strings.TrimSuffix(string(r.Text("errpt-a", []byte(s+"\n"))), "\n") }
	for s, gone := range map[string]string{
		"ip-10-41-52-63": "41-52-63", "10-41-52-63": "41-52-63", "db1-10-41-52-63-b.example.com": "41-52-63", "ip-010-041-052-063": "41-52-63",
		"010.041.052.063": "041.052", "netaddr=010.041.052.063": "041.052", "10.041.52.063/24": "041.52", "3243.0109.0ac7": "3243",
		"+49-170-1234567": "170", "4111-1111-1111-1111": "1111",
	} {
		if got := text(s); strings.Contains(got, gone) {
			t.Errorf("%s came through: %s", s, got)
		}
	}
	for _, s := range []string{"2026-11-27", "7200-05-03-2148", "1-2-3", "5-4-3-2-1"} {
		if got := text(s); got != s {
			t.Errorf("%s became %s", s, got)
		}
	}
	usual := text("10.41.52.63")
	if got := text("10-41-52-63"); strings.ReplaceAll(got, "-", ".") != usual {
		t.Errorf("one address in two forms became %s and %s", usual, got)
	}
	if got := text("010.041.052.063"); got != usual {
		t.Errorf("one address in two forms became %s and %s", usual, got)
	}
	if long, four := text("32:43:01:09:0a:c7"), text("3243.0109.0ac7"); strings.ReplaceAll(long, ":", "") != strings.ReplaceAll(four, ".", "") {
		t.Errorf("one MAC in two spellings became %s and %s", long, four)
	}
}

// Whatever stands around a secret, and whatever it is disguised as, it does not come
// through.
func FuzzPlanted(f *testing.F) {
	for _, text := range []string{"en0: flags=\n\tinet 10.1.3.11 ", "connection.id:", "LABEL: ECH\nDetail Data\n", `{"ifname":"`, "lsattr: "} {
		for i := range len(planted.Disguises) {
			f.Add("nmcli", text, uint(i), uint(i))
			f.Add("ip-addr", text, uint(i), uint(i+1))
		}
	}
	names := slices.Sorted(maps.Keys(planted.Disguises))
	key := testKey(f)
	f.Fuzz(func(t *testing.T, id, around string, kind, n uint) {
		if levels[id] || strings.ContainsFunc(around, func(c rune) bool { return c == '\\' || c == '%' || c == '\uFFFD' }) {
			return // a level may stay there; an escape may be half of the secret's
		}
		s := planted.Disguises[names[kind%uint(len(names))]](int(n%5000), planted.Word(int(n%5000)))
		if version.MatchString(around) || around != "" && pastWord.MatchString(around[len(around)-1:]) || strings.Contains(around, s.Gone[0]) {
			return
		}
		text := around + " " + s.Planted + " " + around
		r := New(key)
		r.Learn([]byte(text))
		if left := s.Left(string(r.Output(id, "", []byte(text)))); len(left) > 0 {
			t.Errorf("%q in %q came through as %q", s.Planted, text, left)
		}
	})
}
