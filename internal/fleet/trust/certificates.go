package trust

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"seaworthy/internal/base/fileio"
)

// HubName is the name in every certificate that a hub makes for itself. Its own CA
// certifies nothing else, so that it is one name wherever the hub runs.
const HubName = "seaworthy-hub"

// Files of a hub's own CA and certificate in its state folder.
const (
	caFile   = "ca.pem"
	caKey    = "ca.key"
	leafFile = "hub.pem"
	leafKey  = "hub.key"
)

// Ages of certificates that a hub makes.
const (
	caAge   = 20 * 365 * 24 * time.Hour
	leafAge = 397 * 24 * time.Hour
	renewAt = 30 * 24 * time.Hour // before its end
)

// Hub is what a hub shows of itself.
type Hub struct {
	Certificate tls.Certificate // with its chain; the last of it is pinned
	Pin         string
	Own         bool // it stands under HubName, of the hub's own CA
}

// Load reads a certificate with its chain, and its key, of the site's own CA.
func Load(certificate, key string) (*Hub, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("certificate %s: %w", certificate, err)
	}
	pin, err := pinOf(pair)
	if err != nil {
		return nil, fmt.Errorf("certificate %s: %w", certificate, err)
	}
	return &Hub{Certificate: pair, Pin: pin}, nil
}

// Check refuses a certificate of the site's CA with which no zone could log in at addresses (HOST:PORT): it is not valid now,
// its chain does not hold, or it is for none of them. The error says what to do.
func (h *Hub) Check(addresses []string) error {
	if h.Own {
		return nil
	}
	var chain []*x509.Certificate
	for _, der := range h.Certificate.Certificate {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return err
		}
		chain = append(chain, c)
	}
	t := &Token{Pin: h.Pin, Hubs: addresses}
	err := t.verifyChain(chain)
	switch {
	case expired(err):
		return fmt.Errorf("%w: get a new one from its CA, or set the clock", err)
	case err != nil:
		return fmt.Errorf("%w: give the certificate with its whole chain", err)
	}
	err = t.verifyName(chain[0])
	if err != nil {
		return fmt.Errorf("%w: give --address with a name that is in it", err)
	}
	return nil
}

// Make returns the certificate of a hub that has its own CA in a folder; what is missing
// or near its end is made.
func Make(dir string) (*Hub, error) {
	_, err := fileio.MkdirAll(dir)
	if err != nil {
		return nil, fmt.Errorf("certificates: %w", err)
	}
	ca, err := authority(dir)
	if err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, leafFile), filepath.Join(dir, leafKey))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("certificate %s: %w", filepath.Join(dir, leafFile), err)
	}
	if err != nil || time.Until(pair.Leaf.NotAfter) < renewAt || pair.Leaf.CheckSignatureFrom(ca.Leaf) != nil {
		pair, err = certify(dir, ca)
		if err != nil {
			return nil, err
		}
	}
	pair.Certificate = [][]byte{pair.Certificate[0], ca.Certificate[0]}
	return &Hub{Certificate: pair, Pin: pinKey(ca.Leaf), Own: true}, nil
}

// authority reads the CA of a folder, and makes it first where there is none.
func authority(dir string) (tls.Certificate, error) {
	file := filepath.Join(dir, caFile)
	ca, err := tls.LoadX509KeyPair(file, filepath.Join(dir, caKey))
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			err = fmt.Errorf("certificate %s: %w", file, err)
		}
		return ca, err
	}
	_, err = os.Stat(file)
	if err == nil {
		return ca, fmt.Errorf("certificate %s: its key %s is missing: restore it, or remove both, and give all zones new tokens", file, caKey)
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "seaworthy fleet CA"}, IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign, NotAfter: time.Now().Add(caAge),
	}
	return make1(template, nil, file, filepath.Join(dir, caKey))
}

// certify makes the hub's certificate.
func certify(dir string, ca tls.Certificate) (tls.Certificate, error) {
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: HubName}, DNSNames: []string{HubName}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, NotAfter: time.Now().Add(leafAge),
	}
	return make1(template, &ca, filepath.Join(dir, leafFile), filepath.Join(dir, leafKey))
}

// make1 makes a key and its certificate, signed by a CA or by itself, and saves both.
func make1(template *x509.Certificate, ca *tls.Certificate, file, keyFile string) (tls.Certificate, error) {
	var none tls.Certificate
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return none, fmt.Errorf("certificate %s: %w", file, err)
	}
	template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return none, fmt.Errorf("certificate %s: %w", file, err)
	}
	template.NotBefore = time.Now().Add(-time.Hour)
	parent, signer := template, any(key)
	if ca != nil {
		parent, signer = ca.Leaf, ca.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return none, fmt.Errorf("certificate %s: %w", file, err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return none, fmt.Errorf("certificate %s: %w", file, err)
	}
	err = fileio.Write(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	if err == nil {
		err = fileio.Write(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	if err != nil {
		return none, fmt.Errorf("certificate: %w", err)
	}
	pair, err := tls.LoadX509KeyPair(file, keyFile)
	if err != nil {
		return none, fmt.Errorf("certificate %s: %w", file, err)
	}
	return pair, nil
}

// pinOf is the pin of the last certificate of a chain.
func pinOf(pair tls.Certificate) (string, error) {
	last, err := x509.ParseCertificate(pair.Certificate[len(pair.Certificate)-1])
	if err != nil {
		return "", err
	}
	return pinKey(last), nil
}

// pinKey names the key of a certificate.
func pinKey(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return "sha256:" + hex.EncodeToString(sum[:])
}
