package split

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/importertest"
)

// Prompts behind which nothing was typed, or nothing that is known, separate.
func TestPrompted(t *testing.T) {
	const ifconfig = "en0: flags=1e084863,480<UP,BROADCAST>\n        inet 10.1.1.11 netmask 0xffffff00 broadcast 10.1.1.255\n"
	const df = "Filesystem    GB blocks      Free %Used\n/dev/hd4           0.62      0.31   50%\n"
	for name, c := range map[string]struct {
		text string
		form Form
		host string
		want []string // command, line and text
	}{
		"#":                  {"# \n" + ifconfig + "# \n", Whole, "", []string{" 2 " + ifconfig}},
		"$ and blank lines":  {"\n$\n\n" + ifconfig + "\n$\n$\n", Whole, "", []string{" 3 " + "\n" + ifconfig + "\n"}},
		"different":          {"> \n% \n" + ifconfig + "bash-5.1$ \n", Whole, "", []string{" 3 " + ifconfig}},
		"user@host":          {ifconfig + "padmin@vios1 $", Whole, "vios1", []string{" 1 " + ifconfig}},
		"status, host, path": {"(0) root @ lpar1: 7.2.0.0: /\n" + ifconfig + "(127) root @ lpar1: 7.2.0.0: /tmp\n", Whole, "lpar1", []string{" 2 " + ifconfig}},
		"between two":        {"#\n" + ifconfig + "#\n7200-05-06-2320\n#\n", Session, "", []string{" 2 " + ifconfig, " 5 7200-05-06-2320\n"}},
		"other commands": {"root@lpar1:/> ./report.sh\n" + ifconfig + "root@lpar1:/tmp> df -g\n" + df + "root@lpar1:/tmp> \n", Session, "lpar1",
			[]string{"./report.sh 2 " + ifconfig, "df -g 5 " + df}},
		"after a known one": {"# ifconfig -a\n" + ifconfig + "[root@lpar1 tmp]# df -g\n" + df, Session, "lpar1",
			[]string{"ifconfig -a 2 " + ifconfig, "df -g 5 " + df}},
		"a lone sign": {"$ sudo numactl --hardware\navailable: 1 nodes (0)\n", Session, "", []string{"sudo numactl --hardware 2 available: 1 nodes (0)\n"}},
		"inset":       {"root@lpar1:/> ./report.sh\n    AIX lpar1 2 7 00C8D2E44C00\n", Session, "lpar1", []string{"./report.sh 2 AIX lpar1 2 7 00C8D2E44C00\n"}},
		"no prompts":  {"share: 5\n-->\n%\n100 %\n", Whole, "", []string{" 1 share: 5\n-->\n%\n100 %\n"}},
	} {
		got := Text(t.Context(), []byte(c.text), "")
		var list []string
		host := got.Host
		for _, p := range got.Pieces {
			list = append(list, strings.Join([]string{p.Command, strconv.Itoa(p.Line), string(p.Text)}, " "))
			if host == "" {
				host = p.Host
			}
		}
		if diff := cmp.Diff(c.want, list); diff != "" || got.Form != c.form || host != c.host {
			t.Errorf("%s: got %s of host %q, want %s of host %q (-want +got):\n%s", name, got.Form, host, c.form, c.host, diff)
		}
	}
}

// Blanks before all lines are taken off where that helps, and only there.
func TestOutdented(t *testing.T) {
	for _, o := range importertest.LPAR("lpar1", "10.1.1.11") {
		for _, by := range []string{"  ", "    ", "\t"} {
			text := by + strings.ReplaceAll(strings.TrimSuffix(o.Text, "\n"), "\n", "\n"+by) + "\n"
			got, want := Text(t.Context(), []byte(text), "").value(""), Text(t.Context(), []byte(o.Text), "").value("")
			if got != want {
				t.Errorf("%s behind %q: got %+v, want %+v", o.Command, by, got, want)
			}
		}
		if Text(t.Context(), []byte(o.Text), "").Outdented {
			t.Errorf("%s: blanks were taken off that the command printed", o.Command)
		}
	}
	for text, want := range map[string]string{
		"  a\n    b\n\n  c": "a\n  b\n\nc", "\ta\n\t b\n": "a\n b\n", "  a\n\tb\n": "", "a\n  b\n": "", " \n\n": "", "": "",
	} {
		if got := outdented([]byte(text)); string(got) != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
