package importertest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"time"
)

// Taken is the time of every packed file.
var Taken = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// Pax packs files as pax -x pax does. Writing to memory cannot fail.
func Pax(files map[string]string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, n := range Names(files) {
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
	for _, n := range Names(files) {
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
