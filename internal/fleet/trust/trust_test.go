package trust_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/fleet/trust"
)

func newToken(t testing.TB, h *trust.Hub) *trust.Token {
	t.Helper()
	seed, _, err := trust.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return &trust.Token{Schema: trust.SchemaToken, User: "dmz", Hubs: []string{"127.0.0.1:4443"}, Pin: h.Pin, OwnCA: h.Own, Seed: seed}
}

func newHub(t testing.TB, dir string) *trust.Hub {
	t.Helper()
	h, err := trust.Make(dir)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// shake makes a connection between a hub and a token's owner.
func shake(t *testing.T, h *trust.Hub, token *trust.Token, most uint16) error {
	t.Helper()
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	go func() { _ = tls.Server(a, h.Server()).Handshake() }() // what the client sees counts
	config := token.Client()
	if most != 0 {
		config.MinVersion, config.MaxVersion = most, most
	}
	return tls.Client(b, config).Handshake()
}

// The hub of a token is taken, also with another certificate of its CA; no other is.
func TestPin(t *testing.T) {
	dir := t.TempDir()
	h := newHub(t, dir)
	token := newToken(t, h)
	if err := shake(t, h, token, 0); err != nil {
		t.Errorf("its own hub: %v", err)
	}
	for _, name := range []string{"hub.pem", "hub.key"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := shake(t, newHub(t, dir), token, 0); err != nil {
		t.Errorf("with a new certificate of the same CA: %v", err)
	}
	other := newHub(t, t.TempDir())
	if err := shake(t, other, token, 0); !errors.Is(err, trust.ErrPin) {
		t.Errorf("another hub: got %v, want %v", err, trust.ErrPin)
	}
	// A certificate of another CA that shows the right CA behind it.
	forged := *other
	forged.Certificate.Certificate = append(forged.Certificate.Certificate[:1:1], h.Certificate.Certificate[1])
	if err := shake(t, &forged, token, 0); err == nil {
		t.Error("a certificate that the pinned CA did not sign was taken")
	}
	if err := shake(t, h, token, tls.VersionTLS12); err == nil {
		t.Error("TLS 1.2 was taken")
	}
}

// issued is a hub whose certificate a site's CA signed.
func issued(t *testing.T, address string, from, until time.Time) *trust.Hub {
	t.Helper()
	dir := t.TempDir()
	write := func(name, kind string, parts ...[]byte) string {
		var text []byte
		for _, der := range parts {
			text = append(text, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})...)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	sign := func(c, parent *x509.Certificate, by *ecdsa.PrivateKey) ([]byte, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if by == nil {
			by = key
		}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
		if err != nil {
			t.Fatal(err)
		}
		return der, key
	}
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "site"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: from, NotAfter: time.Now().Add(time.Hour)}
	caDER, caKey := sign(ca, ca, nil)
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: from, NotAfter: until, IPAddresses: []net.IP{net.ParseIP(address)}}
	der, key := sign(leaf, ca, caKey)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	h, err := trust.Load(write("chain.pem", "CERTIFICATE", der, caDER), write("key.pem", "PRIVATE KEY", private))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A certificate of the site's CA is taken while it is valid, and for the hub's name; what is wrong is said with what to do.
func TestSiteCertificate(t *testing.T) {
	before, after := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	for _, x := range []struct {
		what  string
		hub   *trust.Hub
		wrong string
		early string
	}{
		{"sound", issued(t, "127.0.0.1", before, after), "", ""},
		{"expired", issued(t, "127.0.0.1", before, time.Now().Add(-time.Minute)), "expired .*: restart fleet serve", "get a new one from its CA"},
		{"not yet valid", issued(t, "127.0.0.1", time.Now().Add(30*time.Minute), after), "not yet valid.*or set the clock", "or set the clock"},
		{"of another address", issued(t, "127.0.0.9", before, after), "127.0.0.9, not 127.0.0.1: reach the hub by a name in it",
			"127.0.0.9, not 127.0.0.1: give --address"},
	} {
		early := x.hub.Check([]string{"127.0.0.1:4443"}) // as fleet serve does before a zone dials
		if (early == nil) != (x.wrong == "") || early != nil && !strings.Contains(early.Error(), x.early) {
			t.Errorf("%s: Check gives %v, want %s", x.what, early, x.early)
		}
		err := shake(t, x.hub, newToken(t, x.hub), 0)
		if (err == nil) != (x.wrong == "") || err != nil && !regexp.MustCompile(x.wrong).MatchString(err.Error()) {
			t.Errorf("%s: got %v, want %s", x.what, err, x.wrong)
		}
	}
	err := shake(t, issued(t, "127.0.0.1", before, after), newToken(t, issued(t, "127.0.0.1", before, after)), 0)
	if !errors.Is(err, trust.ErrPin) || !strings.Contains(err.Error(), "get a new token") {
		t.Errorf("of another CA: %v", err)
	}
}

// Members of a cluster connect to each other; each refuses, at either end, what has another CA.
func TestMembers(t *testing.T) {
	at := []string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}
	h, other := newHub(t, t.TempDir()), newHub(t, t.TempDir())
	for _, x := range []struct {
		what           string
		server, client *tls.Config
		want           bool
	}{
		{"two members", h.Members(at), h.Members(at), true},
		{"a client of another CA", h.Members(at), &tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true,
			Certificates: other.Server().Certificates}, false},
		{"a zone", h.Members(at), newToken(t, h).Client(), false},
		{"a server of another CA", other.Server(), h.Members(at), false},
	} {
		a, b := net.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- tls.Server(a, x.server).Handshake()
			a.Close()
		}()
		client := tls.Client(b, x.client)
		err := client.Handshake()
		if err == nil { // with TLS 1.3 a client learns of its refusal from what it reads
			_, err = client.Read(make([]byte, 1))
		}
		b.Close()
		if took := <-ended == nil && errors.Is(err, io.EOF); took != x.want {
			t.Errorf("%s: got %t (%v), want %t", x.what, took, err, x.want)
		}
	}
}

// No error and no text quotes the secret of a token.
func TestTokenIsSecret(t *testing.T) {
	token := newToken(t, newHub(t, t.TempDir()))
	file := filepath.Join(t.TempDir(), "dmz.token")
	err := token.Write(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := trust.Read(t.Context(), file)
	if err != nil || got.Seed != token.Seed {
		t.Fatalf("got %v, %v", got, err)
	}
	text, err := json.Marshal(token)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{strings.Replace(string(text), `"user"`, `"us`, 1), strings.Replace(string(text), "dmz", "D/Z", 1),
		strings.Replace(string(text), "sha256:", "md5:", 1)} {
		_, err = trust.Parse("x", []byte(bad))
		if err == nil || strings.Contains(err.Error(), token.Seed) {
			t.Errorf("got %v", err)
		}
	}
	if strings.Contains(token.String(), token.Seed) {
		t.Error("its text has the secret")
	}
	err = os.Chmod(file, 0o640)
	if err != nil {
		t.Fatal(err)
	}
	_, err = trust.Read(t.Context(), file)
	if err == nil {
		t.Error("a token that others may read was taken")
	}
}

func FuzzParse(f *testing.F) {
	text, err := json.Marshal(newToken(f, newHub(f, f.TempDir())))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		token, err := trust.Parse("x", text)
		if err == nil {
			_, _ = token.Sign([]byte("nonce"))
		}
	})
}
