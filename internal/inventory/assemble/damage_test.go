package assemble_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/codectest"
)

// facts are a host's values by path, without the lines they were read from.
func facts(h *model.Host) map[string]string {
	all := codectest.Facts(h)
	for path := range all {
		if strings.Contains(path, ".From") || strings.HasPrefix(path, ".Gaps") {
			delete(all, path)
		}
	}
	return all
}

func number(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// A text that was cut off loses values. What is left must not be a number that
// the whole text does not have, and what is lost must not become zero.
func TestCutOff(t *testing.T) {
	for _, about := range folders {
		outputs := load(t, about.Name)
		for i, o := range outputs {
			// What an output's values hang on is all that it needs.
			few := []assemble.Output{o}
			for j, x := range outputs {
				if j != i && (strings.HasPrefix(x.ID, "lsdev") || x.ID == "lsattr-El" && x.Element == o.Element || x.ID == "ip-link") {
					few = append(few, x)
				}
			}
			want := facts(assemble.Host(about, few))
			step := max(1, len(o.Text)/25)
			for n := 1; n < len(o.Text); n += step {
				cut := slices.Clone(few)
				cut[0].Text = o.Text[:n]
				for path, value := range facts(assemble.Host(about, cut)) {
					full, known := want[path]
					if number(value) && known && value != full {
						t.Errorf("%s: %s cut at byte %d, behind %q: %s: got %s, want %s or nothing", about.Name, o.Command, n, tail(o.Text[:n]), path, value, full)
					}
				}
			}
		}
	}
}

func tail(text []byte) []byte { return text[max(0, len(text)-20):] }

// Line ends of another system change nothing.
func TestCRLF(t *testing.T) {
	for _, about := range folders {
		outputs := load(t, about.Name)
		want := facts(assemble.Host(about, outputs))
		for i := range outputs {
			outputs[i].Text = bytes.ReplaceAll(outputs[i].Text, []byte("\n"), []byte("\r\n"))
		}
		for path, value := range facts(assemble.Host(about, outputs)) {
			if value != want[path] {
				t.Errorf("%s: %s: got %q, want %q", about.Name, path, value, want[path])
			}
		}
	}
}

// An error in place of an output leaves a gap that names the command, and
// nothing else.
func TestErrorsForOutputs(t *testing.T) {
	for _, message := range []string{
		"ksh: entstat: not found.\n", "0821-514 ioctl SIOCGIFFLAGS failed.\n", "bash: ip: command not found\n", "Permission denied\n", "<html>\n", "\x00\xff\xfe\n", "[\n", "{}\n",
	} {
		for _, about := range folders {
			outputs := load(t, about.Name)
			for i, o := range outputs {
				broken := slices.Clone(outputs)
				broken[i].Text = []byte(message)
				h := assemble.Host(about, broken)
				if !slices.ContainsFunc(h.Gaps, func(g model.Gap) bool { return g.What == o.Command && g.Why != "" }) {
					t.Errorf("%s: %s printed %q: got gaps %v, want one that names the command", about.Name, o.Command, message, h.Gaps)
				}
			}
		}
	}
}

// Every output of the corpus goes into a host by itself, under each command
// that could have printed it. No number may stand in the host that does not
// stand in the text.
func TestCorpus(t *testing.T) {
	read := 0
	for folder, ids := range map[string][]string{
		"entstat_*/*": {"entstat-d", "entstat-all"}, "ifconfig_a/*": {"ifconfig-a"}, "lparstat_i/*": {"lparstat-i"}, "lparstat/*": {"lparstat-i"},
		"lsattr_if/*": {"lsattr-El"}, "lsdev/*": {"lsdev", "lsdev-Cc-adapter"}, "lsdev_adapter/*": {"lsdev-Cc-adapter"},
		"netstat_in/*": {"netstat-in"}, "netstat_rn/*": {"netstat-rn"}, "netstat_s/*": {"netstat-s"}, "no_FL/*": {"no-L"}, "oslevel/*": {"oslevel-s"},
		"prtconf/*": {"prtconf"}, "errpt/*": {"uname-a"}, "lscfg/*": {"ip-link"}, "other*/*": {"ethtool-S", "sysctl"},
	} {
		for _, file := range codectest.First(t, folder) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read++
			for _, id := range ids {
				name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
				o := assemble.Output{ID: id, Element: "ent4", Command: id, Text: text}
				if id == "lsattr-El" {
					o.Element = "en0"
				}
				for _, p := range []model.Platform{model.AIX, model.VIOS, model.Linux} {
					invented(t, name, assemble.Host(assemble.About{Name: "host", Platform: p}, []assemble.Output{o}), text)
				}
			}
		}
	}
	t.Logf("read %d files", read)
}

// invented fails for each number of a host that its text does not hold.
func invented(t *testing.T, name string, h *model.Host, text []byte) {
	t.Helper()
	for path, value := range facts(h) {
		if strings.Contains(path, "/") || strings.HasPrefix(path, ".Figures[vhosts]") /* counted, not read */ || !number(value) || held(text, value) || strings.HasSuffix(path, ".CountedS") && elapsed(text, value) {
			continue
		}
		t.Errorf("%s: %s: %s stands nowhere in the text", name, path, value)
	}
}

// elapsed looks a number of seconds up as entstat prints it.
func elapsed(text []byte, value string) bool {
	n, err := strconv.ParseInt(value, 10, 64)
	printed := fmt.Sprintf("%d days %d hours %d minutes %d seconds", n/86400, n/3600%24, n/60%60, n%60)
	return err == nil && bytes.Contains(text, []byte(printed))
}

// held looks a number up as it may be spelt: 0.30 for 0.3, 262144 as 256K, 65535 as 64K-1.
func held(text []byte, value string) bool {
	if bytes.Contains(text, []byte(value)) {
		return true
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return false
	}
	for _, unit := range []struct {
		size float64
		sign string
	}{{1 << 10, "K-1"}, {1 << 10, "K"}, {1 << 20, "M"}, {1 << 30, "G"}, {1 << 40, "T"}, {1e3, "Gbps"}, {1e3, " Gbps"}} {
		n := n
		if strings.HasSuffix(unit.sign, "-1") {
			n++
		}
		if bytes.Contains(text, []byte(strconv.FormatFloat(n/unit.size, 'f', -1, 64)+unit.sign)) {
			return true
		}
	}
	return bytes.Contains(text, []byte(fmt.Sprintf("%.2f", n)))
}
