package sshconfig

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// tokens are the % expansions that ssh knows, as far as they are settled when
// a configuration is read.
func (r *resolver) tokens() map[byte]string {
	short, _, _ := strings.Cut(r.local.host, ".")
	port := r.port()
	host := r.hostName()
	jump := r.first("proxyjump", "")
	if strings.EqualFold(jump, "none") {
		jump = ""
	}
	sum := sha1.Sum([]byte(r.local.host + host + strconv.Itoa(port) + r.userName() + jump))
	return map[byte]string{
		'%': "%", 'd': r.local.home, 'h': host, 'i': r.local.uid, 'k': r.first("hostkeyalias", r.alias),
		'L': short, 'l': r.local.host, 'n': r.alias, 'p': strconv.Itoa(port), 'r': r.userName(),
		'u': r.local.user, 'j': jump, 'C': hex.EncodeToString(sum[:]),
	}
}

func expand(s string, tokens map[byte]string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", fmt.Errorf("%q ends in a lone %%", s)
		}
		v, ok := tokens[s[i]]
		if !ok {
			return "", fmt.Errorf("%q: token %%%c is not supported here", s, s[i])
		}
		b.WriteString(v)
	}
	return b.String(), nil
}

// path expands ~, tokens and ${VARIABLE} in a file name.
func (r *resolver) path(s string) (string, error) {
	s, err := expand(s, r.tokens())
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "${")
		b.WriteString(before)
		if !ok {
			break
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return "", fmt.Errorf("%q: ${ is not closed", s)
		}
		v, set := os.LookupEnv(name)
		if !set {
			return "", fmt.Errorf("%q: the environment has no %s", s, name)
		}
		b.WriteString(v)
		s = after
	}
	return r.c.tilde(b.String()), nil
}

func (r *resolver) port() int {
	if r.target.Port != 0 {
		return r.target.Port
	}
	p, err := strconv.Atoi(r.first("port", "22"))
	if err != nil {
		return 22 // reported by settings, which reads the same line
	}
	return p
}
