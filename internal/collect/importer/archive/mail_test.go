package archive

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/importertest"
)

const mailHeader = "Received: from a.example.com\n\tby b.example.com; Fri, 27 Nov 2026 10:00:01 +0100\n" +
	"From: a@example.com\nTo: b@example.com\nSubject: slow\nDate: Fri, 27 Nov 2026 10:00:00 +0100\nMIME-Version: 1.0\n"

// attachment is a part of a mail, in base64.
func attachment(name, text string) string {
	return "--BB\nContent-Type: application/octet-stream; name=\"" + name + "\"\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString([]byte(text)) + "\n"
}

func multipartMail(parts ...string) string {
	return mailHeader + "Content-Type: multipart/mixed; boundary=\"BB\"\n\n" + strings.Join(parts, "") + "--BB--\n"
}

// The texts and attachments of a mail are files below it, whatever they were encoded in; a plain mail is one text.
func TestMail(t *testing.T) {
	packed := string(importertest.Gzip(importertest.Pax(map[string]string{"in/a.txt": "packed\n"})))
	alternatives := "--BB\nContent-Type: multipart/alternative; boundary=CC\n\n--CC\nContent-Type: text/plain\n" +
		"Content-Transfer-Encoding: quoted-printable\n\nmtu=3D9000 a long li=\nne\n--CC\nContent-Type: text/html\n\n<p>mtu=9000</p>\n--CC--\n"
	forwarded := "--BB\nContent-Type: message/rfc822; name=before.eml\n\n" +
		strings.ReplaceAll(multipartMail(attachment("uname.txt", "AIX\n")), "BB", "DD")
	plain := "From: a@example.com\nSubject: slow\nDate: today\n\n# ip addr\n"
	for name, c := range map[string]struct {
		text string
		want map[string]string
	}{
		"attachments": {multipartMail(alternatives, attachment("a.txt", "eth0\n")),
			map[string]string{"x/text1.txt": "mtu=9000 a long line", "x/a.txt": "eth0\n"}},
		"an archive":   {multipartMail(attachment("snap.tgz", packed)), map[string]string{"x/snap.tar/in/a.txt": "packed\n"}},
		"a mail in it": {multipartMail(forwarded), map[string]string{"x/before.eml/uname.txt": "AIX\n"}},
		"line ends of the wire": {strings.ReplaceAll(multipartMail(attachment("a.txt", "eth0\n")), "\n", "\r\n"),
			map[string]string{"x/a.txt": "eth0\n"}},
		"of a mailbox": {"From a@example.com Fri Nov 27 10:00:00 2026\n" + multipartMail(attachment("a.txt", "eth0\n")),
			map[string]string{"x/a.txt": "eth0\n"}},
		"two mails of a mailbox": {"From a@example.com Fri Nov 27 10:00:00 2026\n" + mailHeader + "\neth0\n\n" +
			"From b@example.com Fri Nov 27 10:05:00 2026\n" + multipartMail(attachment("a.txt", "eth1\n")), map[string]string{
			"x/mail1.eml": "From a@example.com Fri Nov 27 10:00:00 2026\n" + mailHeader + "\neth0\n\n", "x/mail2.eml/a.txt": "eth1\n"}},
		"an encoded text": {mailHeader + "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nZXRoMAo=\n",
			map[string]string{"x/text.txt": "eth0\n"}},
		"a plain text":       {plain, map[string]string{"x": plain}},
		"a name that climbs": {multipartMail(attachment("../../a.txt", "eth0\n")), map[string]string{"x/a.txt": "eth0\n"}},
	} {
		got := walk(t, Limits{}, folder(t, map[string][]byte{"x": []byte(c.text)}))
		if diff := cmp.Diff(c.want, got.texts); diff != "" {
			t.Errorf("%s (-want +got):\n%s%q", name, diff, got.problems)
		}
	}
}

// What a damaged or hostile mail holds is read as far as it goes, and no further than the limits.
func TestMailBounds(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		limits Limits
		want   string
	}{
		"cut off":         {multipartMail(attachment("a.txt", "eth0\n"), "--BB\nContent-Ty"), Limits{}, "cut off or damaged"},
		"too many":        {multipartMail(strings.Repeat(attachment("a.txt", "eth0\n"), 20)), Limits{Entries: 5}, "too many files"},
		"too large":       {multipartMail(attachment("a.txt", strings.Repeat("x", 5000))), Limits{Total: 1000}, ErrTooMuch.Error()},
		"a damaged part":  {multipartMail("--BB\nContent-Transfer-Encoding: base64\n\n!!!!\n"), Limits{}, "illegal base64"},
		"nested too deep": {multipartMail(nested(20)), Limits{}, "nested too deep"},
	} {
		got := walk(t, c.limits, folder(t, map[string][]byte{"x": []byte(c.text)}))
		if !has(got.problems, c.want) {
			t.Errorf("%s: got %q of %q, want %q", name, got.problems, got.texts, c.want)
		}
	}
}

// nested is a part of a mail in parts.
func nested(deep int) string {
	var b strings.Builder
	b.WriteString("--BB\n")
	for i := range deep {
		boundary := strings.Repeat("C", i+1) + "X"
		b.WriteString("Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n")
	}
	return b.String() + "\nend\n"
}
