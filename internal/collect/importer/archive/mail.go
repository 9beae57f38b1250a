package archive

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"

	"seaworthy/internal/parse"
)

// mostMail is the largest mail that is taken apart, in bytes: its attachments are held in memory.
const mostMail = 64 << 20

// mailHead begins a mail as it was sent: two fields of its header.
var mailHead = parse.Lazy(`^(?:From \S+ [^\n]*\n)?(?:Return-Path|Received|Delivered-To|From|To|Cc|Subject|Date|Message-I[Dd]|` +
	`MIME-Version|Content-Type|Reply-To|[Xx]-[\w-]+|DKIM-Signature|ARC-[\w-]+|` +
	`Authentication-Results): *[^\n]*\n(?:[ \t][^\n]*\n)*[A-Z][\w-]+:(?:[ \t]|\r?\n)`)

// mailLine begins each mail of a mailbox: "From root@web7 Fri Nov 20 10:10:01 2026".
var mailLine = parse.Lazy(`(?m)^From \S+ .*\d{4}\r?$`)

// mail reads a mail, or the mails of a mailbox, each as a file below its name.
func (w *walker) mail(e Entry, r io.Reader, b *budget, depth int) error {
	raw, err := io.ReadAll(io.LimitReader(r, mostMail+1))
	if err != nil {
		_ = w.problem(e.Path, Reason(err))
	}
	if len(raw) > mostMail {
		e.Text = io.MultiReader(bytes.NewReader(raw), r)
		return w.visit.Entry(e)
	}
	mails := mailbox(raw)
	if len(mails) == 1 {
		return w.message(e, raw, b, depth)
	}
	for i, m := range mails {
		one := e
		one.Path, one.Size = w.inside(e.Path, fmt.Sprintf("mail%d.eml", i+1)), int64(len(m))
		if !w.room(one.Path) {
			return nil
		}
		err := w.message(one, m, b, depth)
		if err != nil {
			return err
		}
	}
	return nil
}

// mailbox is the mails of a mailbox; one, the text itself, if it is none.
func mailbox(raw []byte) (mails [][]byte) {
	from := 0
	for _, m := range mailLine.Regexp().FindAllIndex(raw, -1) {
		at := m[0]
		below := bytes.HasSuffix(raw[:at], []byte("\n\n")) || bytes.HasSuffix(raw[:at], []byte("\n\r\n"))
		if at > from && below && mailHead.Match(raw[at:]) {
			mails = append(mails, raw[from:at])
			from = at
		}
	}
	return append(mails, raw[from:])
}

// message reads a mail with its texts and attachments, each as a file below the mail's name. One that is a plain text is left as it is.
func (w *walker) message(e Entry, raw []byte, b *budget, depth int) error {
	m, wrong := mail.ReadMessage(bytes.NewReader(withoutEnvelope(raw)))
	if wrong != nil || !encoded(textproto.MIMEHeader(m.Header)) {
		e.Text = bytes.NewReader(raw)
		return w.visit.Entry(e)
	}
	sent, err := m.Header.Date()
	if err != nil {
		sent = e.Time
	}
	return w.mailPart(mailText{header: textproto.MIMEHeader(m.Header), body: m.Body, label: e.Path, time: sent}, b, depth)
}

// withoutEnvelope drops the first line of a mail in a mailbox: "From sender date".
func withoutEnvelope(raw []byte) []byte {
	if !bytes.HasPrefix(raw, []byte("From ")) {
		return raw
	}
	_, rest, _ := bytes.Cut(raw, []byte("\n"))
	return rest
}

// encoded reports whether a mail has parts, or its text was encoded.
func encoded(h textproto.MIMEHeader) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err == nil && strings.HasPrefix(kind, "multipart/") {
		return true
	}
	how := strings.ToLower(h.Get("Content-Transfer-Encoding"))
	return how == "base64" || how == "quoted-printable"
}

// mailText is a part of a mail.
type mailText struct {
	header textproto.MIMEHeader
	body   io.Reader
	label  string // where the part lies: the mail's, or that of the part around it
	number int    // of the part, from 1; 0: the mail itself
	time   time.Time
}

// mailPart reads a part of a mail: those in it, or the text itself.
func (w *walker) mailPart(p mailText, b *budget, depth int) error {
	if depth >= w.limits.Depth+2 { // a mail nests its own parts before it holds an archive
		return w.problem(p.label, "parts of a mail nested too deep; skipped")
	}
	kind, params, err := mime.ParseMediaType(p.header.Get("Content-Type"))
	if err == nil && strings.HasPrefix(kind, "multipart/") {
		return w.mailParts(p, multipart.NewReader(p.body, params["boundary"]), kind == "multipart/alternative", b, depth)
	}
	switch {
	case strings.HasPrefix(kind, "image/"), strings.HasPrefix(kind, "video/"), strings.HasPrefix(kind, "audio/"):
		return nil
	}
	body := p.body
	switch strings.ToLower(p.header.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	inside := w.inside(p.label, p.name(kind))
	if !w.room(inside) {
		return nil
	}
	return w.stream(Entry{Path: inside, Time: p.time, Size: -1, Text: metered{body, b}}, nil, b, min(depth+1, w.limits.Depth))
}

// mailParts reads the parts of a mail. Of alternatives, which say the same, the first is read: the plain text.
func (w *walker) mailParts(p mailText, parts *multipart.Reader, alternatives bool, b *budget, depth int) error {
	for number := 1; ; number++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return w.problem(p.label, "the mail is cut off or damaged: "+err.Error())
		}
		inner := mailText{header: part.Header, body: part, label: p.label, number: number, time: p.time}
		if err := w.mailPart(inner, b, depth+1); err != nil || alternatives {
			return err
		}
	}
}

// name is the file name of a part: an attachment's own, else one for its text.
func (p mailText) name(kind string) string {
	_, disposition, _ := mime.ParseMediaType(p.header.Get("Content-Disposition"))
	_, params, _ := mime.ParseMediaType(p.header.Get("Content-Type"))
	if name := cmp.Or(disposition["filename"], params["name"]); name != "" {
		decoder := mime.WordDecoder{}
		if plain, err := decoder.DecodeHeader(name); err == nil {
			return plain
		}
		return name
	}
	ending := "txt"
	if kind == "text/html" {
		ending = "html"
	}
	if p.number == 0 {
		return "text." + ending
	}
	return fmt.Sprintf("text%d.%s", p.number, ending)
}
