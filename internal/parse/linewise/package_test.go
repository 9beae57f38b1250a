package linewise

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var packageCodec = codectest.Codec[PackageLevel]{
	Parse:  ParsePackageLevel,
	Report: func(p *PackageLevel) *parse.Report { return &p.Report },
}

func TestParsePackageLevel(t *testing.T) {
	for text, want := range map[string]string{
		"powerpc-utils-1.3.8-1.el8.ppc64le\n":             "1.3.8",
		"powerpc-utils-1.3.10-150400.17.3.ppc64le\n":      "1.3.10",
		"powerpc-utils\t1.3.13-1\n":                       "1.3.13",
		"package powerpc-utils is not installed\n":        "",
		"powerpc-utils-core-1.3.8-1.el8.ppc64le\nother\n": "refused",
	} {
		if want == "refused" {
			if p, err := ParsePackageLevel([]byte(text)); err == nil {
				t.Errorf("%q: got %+v, want an error", text, p)
			}
			continue
		}
		if p := packageCodec.Read(t, text); p.Version != want {
			t.Errorf("%q: got %q, want %q", text, p.Version, want)
		}
	}
}
