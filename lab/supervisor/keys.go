package supervisor

import (
	"bytes"
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/crypto/ssh"

	"seaworthy/lab/rootfs"
	"seaworthy/lab/sshd"
	"seaworthy/remote/labs"
	"seaworthy/remote/shellword"
	"seaworthy/safefile"
)

// keys are generated for each lab.
type keys struct {
	host    ssh.Signer
	allowed ssh.PublicKey
}

// writeLogins makes the keys and writes all that an SSH client needs.
func writeLogins(c Config, nodes []NodeInfo) (*keys, error) {
	host, _, err := sshd.NewKey("")
	if err != nil {
		return nil, err
	}
	user, private, err := sshd.NewKey("seaworthy lab " + c.Name)
	if err != nil {
		return nil, err
	}
	k := &keys{host, user.PublicKey()}
	var known strings.Builder
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k.host.PublicKey())))
	for _, n := range nodes {
		fmt.Fprintf(&known, "%s %s\n", HostKeyAlias(c.Name, n.Name), line)
	}
	for path, text := range map[string][]byte{
		KeyFile(c.Dir):          private,
		KeyFile(c.Dir) + ".pub": ssh.MarshalAuthorizedKey(k.allowed),
		KnownHostsFile(c.Dir):   []byte(known.String()),
		SSHConfigFile(c.Dir):    sshConfig(c, nodes),
		labs.HostsFile(c.Dir):   []byte(hostsFile(nodes)),
	} {
		if err := safefile.WriteUnsynced(path, text); err != nil {
			return nil, err
		}
	}
	return k, nil
}

//go:embed ssh_config.tmpl
var sshConfigText string

// sshConfig lets the stock client, and everything that reads its files, log in
// by node name: with the usual login of the node, and as NODE-root on a VIOS
// as root.
func sshConfig(c Config, nodes []NodeInfo) []byte {
	var b bytes.Buffer
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"alias":  func(node string) string { return HostKeyAlias(c.Name, node) },
		"socket": func(node string) string { return shellWord(SSHSocket(c.Dir, node)) },
	}).Parse(sshConfigText))
	_ = t.Execute(&b, map[string]any{ // writing to memory cannot fail
		"Name": c.Name, "File": SSHConfigFile(c.Dir), "Nodes": nodes, "Program": shellWord(c.Program),
		"Key": configWord(KeyFile(c.Dir)), "Known": configWord(KnownHostsFile(c.Dir)),
	})
	return b.Bytes()
}

// hostsFile names the lab's hosts for the -i flag.
func hostsFile(nodes []NodeInfo) string {
	var b strings.Builder
	b.WriteString("ssh_config: ssh_config\nhosts:\n")
	for _, n := range nodes {
		more := ""
		switch {
		case rootfs.IsOrdinary(n.Users[0]):
			more = ", become: sudo"
		case n.Role == hmcRole:
			more = ", platform: hmc"
		}
		fmt.Fprintf(&b, "  %s: {user: %s%s}\n", n.Name, n.Users[0], more)
	}
	return b.String()
}

// shellWord quotes a path for the shell that runs a ProxyCommand, and for
// ssh's own % expansion.
func shellWord(path string) string {
	return shellword.Quote(strings.ReplaceAll(path, "%", "%%"))
}

func configWord(path string) string {
	path = strings.ReplaceAll(filepath.Clean(path), "%", "%%")
	if strings.ContainsAny(path, " \t") {
		return `"` + path + `"`
	}
	return path
}
