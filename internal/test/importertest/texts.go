// Package importertest holds what the tests of imports share: the outputs of
// made-up hosts, and ways to pack them as people pack outputs.
package importertest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/ulikunitz/xz"
)

// Output is one output of a host.
type Output struct {
	Command string
	File    string // a name people give it
	Text    string
}

//go:embed lpar.txtar
var lpar string

// LPAR is an AIX client with one virtual adapter and one interface.
func LPAR(name, address string) []Output {
	var text bytes.Buffer
	_ = template.Must(template.New("").Parse(lpar)).Execute(&text, map[string]string{
		"Name": name, "Address": address, "Net": address[:strings.LastIndexByte(address, '.')]}) // writing to memory cannot fail
	var all []Output
	for _, f := range txtar.Parse(text.Bytes()).Files {
		file, command, _ := strings.Cut(f.Name, " ")
		all = append(all, Output{command, file, string(f.Data)})
	}
	return all
}

// Plain is a folder of the outputs, by file name.
func Plain(outputs []Output) map[string]string {
	files := map[string]string{}
	for _, o := range outputs {
		files[o.File] = o.Text
	}
	return files
}

// Snap is the same host as snap leaves it: general.snap and tcpip.snap with
// the commands between dots.
func Snap(outputs []Output) map[string]string {
	section := func(o Output) string { return "\n\n.....\n.....    " + o.Command + "\n.....\n\n" + o.Text }
	general, tcpip := "Sat Nov 21 04:02:11 CST 2026\n", "Sat Nov 21 04:02:44 CST 2026\n"
	for _, o := range outputs {
		switch {
		case strings.HasPrefix(o.Command, "netstat"), strings.HasPrefix(o.Command, "ifconfig"),
			strings.HasPrefix(o.Command, "no "), o.Command == "lsattr -El en0":
			tcpip += section(o)
		default:
			general += section(o)
		}
	}
	general += "\n\n.....\n.....    lslpp -Lc\n.....\n\nbos.net.tcp.client_core:bos.net.tcp.client_core:7.2.5.0: : :C: :TCP/IP Client\n"
	return map[string]string{
		"./general/general.snap": general, "./tcpip/tcpip.snap": tcpip,
		"./tcpip/hosts": "127.0.0.1 loopback localhost\n",
	}
}

// Session is the same as a saved terminal session.
func Session(outputs []Output, prompt string) string {
	var b strings.Builder
	for _, o := range outputs {
		b.WriteString(prompt + o.Command + "\n" + o.Text)
	}
	return b.String() + prompt + "exit\n"
}

// Headed is the same as a script writes it with a heading before each.
func Headed(outputs []Output, heading string) string {
	var b strings.Builder
	for _, o := range outputs {
		fmt.Fprintf(&b, heading, o.Command)
		b.WriteString(o.Text + "\n")
	}
	return b.String()
}

// Taken is the time of every packed file.
var Taken = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// Pax packs files as pax -x pax does. Writing to memory cannot fail.
func Pax(files map[string]string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, n := range slices.Sorted(maps.Keys(files)) {
		_ = w.WriteHeader(&tar.Header{
			Name: n, Mode: 0o600, Size: int64(len(files[n])), ModTime: Taken, Typeflag: tar.TypeReg, Format: tar.FormatPAX,
		})
		_, _ = w.Write([]byte(files[n]))
	}
	_ = w.Close()
	return b.Bytes()
}

// Zip packs files as zip does.
func Zip(files map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: n, Method: zip.Deflate, Modified: Taken})
		if err == nil {
			_, _ = f.Write([]byte(files[n]))
		}
	}
	_ = w.Close()
	return b.Bytes()
}

// Gzip compresses.
func Gzip(plain []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(plain)
	_ = w.Close()
	return b.Bytes()
}

// XZ packs bytes as xz does, in blocks so that there are several.
func XZ(text []byte) []byte {
	var b bytes.Buffer
	w, err := xz.WriterConfig{BlockSize: 4096, DictCap: 1 << 16}.NewWriter(&b)
	if err != nil {
		panic(err) // writing to memory cannot fail
	}
	_, _ = w.Write(text)
	_ = w.Close()
	return b.Bytes()
}
