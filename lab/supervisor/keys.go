package supervisor

import (
	"bytes"
	"embed"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/crypto/ssh"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/remote/labs"
	"seaworthy/internal/remote/shellword"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/sshd"
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
	files := map[string][]byte{KeyFile(c.Dir): private, KeyFile(c.Dir) + ".pub": ssh.MarshalAuthorizedKey(user.PublicKey())}
	for path, name := range map[string]string{
		KnownHostsFile(c.Dir): "known_hosts.tmpl", SSHConfigFile(c.Dir): "ssh_config.tmpl", labs.HostsFile(c.Dir): "hosts.yaml.tmpl",
	} {
		if files[path], err = loginFile(name, c, nodes, host.PublicKey()); err != nil {
			return nil, err
		}
	}
	for path, text := range files {
		if err := fileio.WriteUnsynced(path, text); err != nil {
			return nil, err
		}
	}
	return &keys{host, user.PublicKey()}, nil
}

//go:embed *.tmpl
var loginFiles embed.FS

// loginFile is a file with which the stock client, and everything that reads its files, logs in
// by node name: with the usual login of the node, and as NODE-root on a VIOS as root. hosts.yaml
// names the lab's hosts for the -i flag.
func loginFile(name string, c Config, nodes []NodeInfo, host ssh.PublicKey) ([]byte, error) {
	t, err := template.New(name).Funcs(template.FuncMap{
		"alias":    func(node string) string { return HostKeyAlias(c.Name, node) },
		"socket":   func(node string) string { return shellWord(SSHSocket(c.Dir, node)) },
		"ordinary": rootfs.IsOrdinary,
	}).ParseFS(loginFiles, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Name": c.Name, "File": SSHConfigFile(c.Dir), "Nodes": nodes, "Program": shellWord(c.Program),
		"Key": configWord(KeyFile(c.Dir)), "Known": configWord(KnownHostsFile(c.Dir)), "HostKey": string(ssh.MarshalAuthorizedKey(host)),
	})
	return b.Bytes(), err
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
