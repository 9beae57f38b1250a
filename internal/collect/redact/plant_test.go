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
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/transcripts"
)

// secret is a planted word: as it is written, and what must not be found afterwards.
type secret struct {
	planted string
	gone    []string
}

// disguises make a secret look like something harmless. word has ten letters, no
// two secrets share five of them in a row.
var disguises = map[string]func(n int, word string) secret{
	"like a device": func(n int, word string) secret {
		before := []string{"port1", "vlan200", "net1", "sea1", "os1", "br0", "ent0", "en5s", "eth3_", "fcs2f1", "ibm9"}
		return secret{before[n%len(before)] + word, []string{word}}
	},
	"like a level": func(n int, word string) secret {
		address := fmt.Sprintf("5.%d.%d.77", 9+n/200%200, 20+n%200)
		switch n % 3 {
		case 0:
			return secret{address, []string{address}}
		case 1:
			return secret{"7.2.0." + word, []string{word}}
		}
		return secret{"V7R2M0" + word, []string{word}}
	},
	"like a date": func(n int, word string) secret {
		before := []string{"20261126", "2026-11-26", "26.11.2026", "2026-11-26T10:00:00", "10:15:00", "Nov-26-"}
		return secret{before[n%len(before)] + word, []string{word}}
	},
	"in capitals": func(_ int, word string) secret { return secret{strings.ToUpper(word), []string{word}} },
	"split by a line end": func(_ int, word string) secret {
		return secret{word[:5] + "\n" + word[5:], []string{word[:5], word[5:]}}
	},
	"in another script": func(n int, word string) secret {
		switch n % 3 {
		case 0:
			other := strings.Map(func(c rune) rune { return 'а' + c - 'a' }, word) // Cyrillic
			return secret{other, []string{other}}
		case 1:
			other := strings.Map(func(c rune) rune { return '東' + c - 'a' }, word)
			return secret{"port1" + other, []string{other}}
		}
		return secret{word[:5] + "ü" + word[5:], []string{word[:5], word[5:]}}
	},
	"percent-encoded": func(n int, word string) secret {
		forms := []string{"%%%02X", "%%%02x", `\u%04x`}
		var b strings.Builder
		for i := range len(word) {
			fmt.Fprintf(&b, forms[n%len(forms)], word[i])
		}
		return secret{b.String(), []string{b.String(), word}}
	},
}

// wordOf is the n-th secret word.
func wordOf(n int) string {
	half := func(first byte, n int) string {
		b := []byte{first, 'q', 0, 0, 0}
		for i := 2; i < len(b); i++ {
			b[i] = "bcdfghjkmnprstvwxz"[n%18]
			n /= 18
		}
		return string(b)
	}
	return half('z', n) + half('x', n)
}

// left gives what of a secret is in a text, also encoded.
func (s secret) left(text string) []string {
	low, plain := strings.ToLower(text), strings.ToLower(unescape(text))
	return slices.DeleteFunc(slices.Clone(s.gone), func(w string) bool {
		w = strings.ToLower(w)
		return !strings.Contains(low, w) && !strings.Contains(plain, w)
	})
}

// source is a real output.
type source struct{ name, id, command, text string }

// field is a value of an output, and where it stands.
type field struct {
	path     string
	from, to int
}

var (
	keys     = regexp.MustCompile(`\[[^\]]*\]`)
	pastWord = regexp.MustCompile(`[\pL\pN_]`)
)

// mostOfAField bounds how often one field is planted into: another key of a table is the same field.
const mostOfAField = 2

// fields finds the values of an output that seen does not have often enough.
func (o source) fields(seen map[string]int) []field {
	v, err := registry.Find(o.id).Parse([]byte(o.text), o.command)
	if err != nil {
		return nil
	}
	facts := codectest.Facts(v)
	var out []field
	for _, path := range slices.Sorted(maps.Keys(facts)) {
		value := facts[path]
		path = o.id + keys.ReplaceAllString(path, "[]")
		if strings.TrimSpace(value) == "" || strings.Contains(value, "\n") || seen[path] >= mostOfAField {
			continue
		}
		for at := range occurrences(o.text, value) {
			f := field{path, at, at + len(value)}
			if slices.ContainsFunc(out, func(g field) bool { return f.from < g.to && g.from < f.to }) {
				continue
			}
			out = append(out, f)
			seen[path]++
			break
		}
	}
	slices.SortFunc(out, func(a, b field) int { return a.from - b.from })
	return out
}

// occurrences are the places where a value stands as a whole word.
func occurrences(text, value string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := strings.Index(text[at:], value)
			if i < 0 {
				return
			}
			from, to := at+i, at+i+len(value)
			inside := from > 0 && pastWord.MatchString(text[from-1:from]) || to < len(text) && pastWord.MatchString(text[to:to+1])
			if !inside && !yield(from) {
				return
			}
			at = to
		}
	}
}

// plantInto puts secrets into the fields of outputs and looks for them in what is
// left after redaction. It gives how many were planted.
func plantInto(t *testing.T, sources []source) int {
	t.Helper()
	slices.SortStableFunc(sources, func(a, b source) int { return len(a.text) - len(b.text) })
	seen := map[string]int{}
	next, planted, came := 0, 0, 0
	for _, o := range sources {
		fields := o.fields(seen)
		if len(fields) == 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(disguises)) {
			disguise := disguises[name]
			var b strings.Builder
			var secrets []secret
			at := 0
			for i, f := range fields {
				s := disguise(next+i, wordOf(next+i))
				b.WriteString(o.text[at:f.from] + s.planted)
				secrets = append(secrets, s)
				at = f.to
			}
			b.WriteString(o.text[at:])
			r := New(testKey(t))
			r.Learn([]byte(b.String()))
			read := string(r.Output(o.id, o.command, []byte(b.String())))
			strict := string(r.text(o.id, []byte(b.String()), func(int) bool { return false })) // as if its codec understood every line
			for i, s := range secrets {
				if isLevelField(o, fields[i], s) {
					continue
				}
				planted++
				if left := append(s.left(read), s.left(strict)...); len(left) > 0 {
					came++
					if came <= 60 {
						t.Errorf("%s: %s: %s: %q came through as %q:\n%s", o.name, fields[i].path, name, s.planted, left, lineOf(read+"\n"+strict, left[0]))
					}
				}
			}
			next += len(fields) // no word twice
		}
	}
	t.Logf("%d secrets planted in %d fields of %d outputs, %d came through", planted, len(seen), len(sources), came)
	return planted
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
func isLevelField(o source, f field, s secret) bool {
	line := o.text[strings.LastIndexByte(o.text[:f.from], '\n')+1 : f.from]
	return strings.HasPrefix(s.planted, "5.") && (levels[o.id] || version.MatchString(line))
}

// recognised gives a text as an output, if a codec reads it.
func recognised(name, text, command string) (source, bool) {
	f, ok := detect.Text([]byte(text), detect.Hint{})
	if !ok || !f.Known {
		return source{}, false
	}
	return source{name, f.ID, f.Command, text}, true
}

func TestSecretsPlantedInRealOutputs(t *testing.T) {
	var sources []source
	for _, file := range draw.OneIn(t, 12, codectest.Files(t, "*/*.txt")) {
		if o, ok := recognised(filepath.Base(file), codectest.Text(t, file), ""); ok {
			sources = append(sources, o)
		}
	}
	if n := plantInto(t, sources); n < 8*len(sources) {
		t.Errorf("only %d secrets were planted: the test would prove little", n)
	}
}

func TestSecretsPlantedInTranscripts(t *testing.T) {
	var sources []source
	texts := transcripts.Texts(t)
	for _, host := range slices.Sorted(maps.Keys(texts)) {
		text := texts[host]
		for part := range strings.SplitSeq(text, "\n$ ") {
			command, output, _ := strings.Cut(part, "\n")
			if o, ok := recognised(host+": "+command, output+"\n", command); ok {
				sources = append(sources, o)
			}
		}
	}
	if n := plantInto(t, sources); n < 500 {
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
	for name, disguise := range disguises {
		for _, text := range proses {
			for range 10 {
				s := disguise(n, wordOf(n))
				n++
				r := New(testKey(t))
				if got := r.String(fmt.Sprintf(text, s.planted)); len(s.left(got)) > 0 {
					t.Errorf("%s: %q came through in %q", name, s.planted, got)
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
	next := func(disguise func(int, string) secret, all *[]secret) string {
		s := disguise(n, wordOf(n))
		n++
		*all = append(*all, s)
		return s.planted
	}
	for name, disguise := range disguises {
		var all []secret
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
				if left := s.left(path + "\n" + text); len(left) > 0 {
					t.Errorf("%s: %q came through as %q in %s", name, s.planted, left, path)
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

// Whatever stands around a secret, and whatever it is disguised as, it does not come
// through.
func FuzzPlanted(f *testing.F) {
	for _, text := range []string{"en0: flags=\n\tinet 10.1.3.11 ", "connection.id:", "LABEL: ECH\nDetail Data\n", `{"ifname":"`, "lsattr: "} {
		for i := range len(disguises) {
			f.Add("nmcli", text, uint(i), uint(i))
			f.Add("ip-addr", text, uint(i), uint(i+1))
		}
	}
	names := slices.Sorted(maps.Keys(disguises))
	key := testKey(f)
	f.Fuzz(func(t *testing.T, id, around string, kind, n uint) {
		if levels[id] || strings.ContainsFunc(around, func(c rune) bool { return c == '\\' || c == '%' || c == '\uFFFD' }) {
			return // a level may stay there; an escape may be half of the secret's
		}
		s := disguises[names[kind%uint(len(names))]](int(n%5000), wordOf(int(n%5000)))
		if version.MatchString(around) || around != "" && pastWord.MatchString(around[len(around)-1:]) || strings.Contains(around, s.gone[0]) {
			return
		}
		text := around + " " + s.planted + " " + around
		r := New(key)
		r.Learn([]byte(text))
		if left := s.left(string(r.Output(id, "", []byte(text)))); len(left) > 0 {
			t.Errorf("%q in %q came through as %q", s.planted, text, left)
		}
	})
}
