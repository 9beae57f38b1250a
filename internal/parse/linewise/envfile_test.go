package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var envCodec = codectest.Codec[EnvFile]{Parse: ParseEnvFile, Report: func(f *EnvFile) *parse.Report { return &f.Report }}

const envRelease = "# written for a test\nNAME=\"Harbour Linux\"\nVERSION_ID='9.4'\n\nID=harbour\nPRETTY_NAME=\"Harbour Linux 9.4 (Pilot)\"\n"

const envLparcfg = "lparcfg 1.9\nserial_number=IBM,0212345AB\nsystem_type=IBM,9009-22A\npartition_id=7\npartition_entitled_capacity=150\nshared_processor_mode=1\n"

func TestParseEnv(t *testing.T) {
	for _, c := range []struct{ name, text, key, want string }{
		{"double quotes", envRelease, "PRETTY_NAME", "Harbour Linux 9.4 (Pilot)"},
		{"single quotes", envRelease, "VERSION_ID", "9.4"},
		{"no quotes", envRelease, "ID", "harbour"},
		{"lparcfg", envLparcfg, "system_type", "IBM,9009-22A"},
		{"the last one holds", "A=1\nA=2\n", "A", "2"},
		{"empty", "A=\nB=2\n", "A", ""},
		{"CRLF", "A=1\r\nB=2\r\n", "B", "2"},
	} {
		f := envCodec.Read(t, c.text)
		if i := f.Find(c.key); i == nil || i.Value != c.want || len(f.Unknown) > 0 {
			t.Errorf("%s: %s: got %+v, unknown %v, want %q", c.name, c.key, i, f.Unknown, c.want)
		}
	}
	for _, text := range []string{"", "cat: /etc/os-release: No such file or directory\n", "partition_entitled_capacity=15"} {
		if f, err := ParseEnvFile([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v; want ErrNotRecognised", text, f, err)
		}
	}
	for _, text := range []string{"A=1\nB=\"cut\nC=3\n", "A=1\nB=12"} {
		if f := envCodec.Read(t, text); f.Find("B") != nil || len(f.Unknown) != 1 {
			t.Errorf("%q: got B %+v and unknown %v, want B not known", text, f.Find("B"), f.Unknown)
		}
	}
}
