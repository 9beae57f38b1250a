package supervisor

import (
	"fmt"
	"path/filepath"
	"strings"

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
		SSHConfigFile(c.Dir):    []byte(sshConfig(c, nodes)),
		labs.HostsFile(c.Dir):   []byte(hostsFile(nodes)),
	} {
		if err := safefile.WriteUnsynced(path, text); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// sshConfig lets the stock client, and everything that reads its files, log in
// by node name: with the usual login of the node, and as NODE-root on a VIOS
// as root.
func sshConfig(c Config, nodes []NodeInfo) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# lab %s: ssh -F %s NODE\n", c.Name, SSHConfigFile(c.Dir))
	host := func(alias, node, user string) {
		fmt.Fprintf(&b, "\nHost %s\n  HostName %s\n  HostKeyAlias %s\n  User %s\n", alias, node, HostKeyAlias(c.Name, node), user)
		fmt.Fprintf(&b, "  ProxyCommand %s lab dial %s\n", shellWord(c.Program), shellWord(SSHSocket(c.Dir, node)))
		fmt.Fprintf(&b, "  IdentityFile %s\n  IdentitiesOnly yes\n", configWord(KeyFile(c.Dir)))
		fmt.Fprintf(&b, "  UserKnownHostsFile %s\n  GlobalKnownHostsFile /dev/null\n", configWord(KnownHostsFile(c.Dir)))
		b.WriteString("  StrictHostKeyChecking yes\n  PreferredAuthentications publickey\n  ControlMaster no\n  ControlPath none\n" +
			"  LogLevel ERROR\n")
	}
	for _, n := range nodes {
		for i, user := range n.Users {
			alias := n.Name
			if i > 0 {
				alias += "-" + user
			}
			host(alias, n.Name, user)
		}
	}
	return b.String()
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
