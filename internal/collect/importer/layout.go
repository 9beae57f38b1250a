package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// layout is how a support tool packs what it gathers of a host.
type layout struct {
	tool string
	// folder is the form of its folder's name; sign is a file or folder that only its folder has.
	folder *parse.Pattern
	sign   string
	// wanted are the files, below the tool's folder, that can say something of the network.
	wanted *parse.Pattern
	// logs are those of them of which the end is enough.
	logs *parse.Pattern
}

var layouts = []layout{
	{
		tool: "sosreport", folder: parse.Lazy(`^sosreport-[^/]+$`), sign: "sos_commands",
		wanted: parse.Lazy(`^(?:(?:hostname|uname|date|ip_addr|ip_route|netstat|dmesg|lspci)$` +
			`|sos_commands/(?:networking|kernel|host|general|date|networkmanager|openvswitch|ov[ns]_\w+|bonding|teamd|virsh|libvirt|` +
			`processor|powerpc|pci|tuned|numa|logs|conntrack)/` +
			`|proc/(?:net/|sys/net/|(?:interrupts|softirqs|stat|cpuinfo)$|ppc64/|irq/)|sys/class/net/|sys/devices/(?:[^/]+/)+net/[^/]+/` +
			`|etc/(?:os-release$|hostname$|sysctl\.conf$|sysctl\.d/|sysconfig/network/|sysconfig/network-scripts/|network/interfaces|` +
			`netplan/|systemd/network/)` +
			`|var/log/(?:messages|syslog|kern\.log|dmesg)$)`),
		logs: parse.Lazy(`^(?:var/log/|sos_commands/(?:logs|kernel)/)`),
	},
	{
		tool: "supportconfig", folder: parse.Lazy(`^(?:scc|nts)_[^/]+_\d{6}_\d{4}$`), sign: "basic-environment.txt",
		wanted: parse.Lazy(`^(?:basic-environment|boot|env|hardware|kvm|messages|network|proc|tuned)\.txt$`),
		logs:   parse.Lazy(`^(?:boot|messages)\.txt$`),
	},
}

// tailOfLog is how much of a log is read of a support tool's folder: its end, in bytes.
const tailOfLog = 4 << 20

// Aside counts the files of a support tool's folder that were not read, as they say nothing of the network.
type Aside struct {
	Folder string `json:"folder"`
	Tool   string `json:"tool"`
	Files  int    `json:"files"` // left aside, links among them
	Of     int    `json:"of"`    // all of the folder's
}

// bundles are the folders of support tools that a walk has met.
type bundles struct {
	known map[string]*layout // by folder; those that a look at the disk found
	seen  map[string]*Aside
}

// look finds the folders of support tools at an argument and up to two levels below it that do not have the name that the
// tool gives them.
func (b *bundles) look(argument string) {
	for _, depth := range []string{"", "*", "*/*"} {
		for i := range layouts {
			l := &layouts[i]
			found, _ := filepath.Glob(filepath.Join(escapeGlob(argument), filepath.FromSlash(depth), l.sign))
			for _, at := range found {
				if _, err := os.Lstat(at); err == nil {
					b.known[filepath.ToSlash(filepath.Dir(at))] = l
				}
			}
		}
	}
}

// escapeGlob is a path with what a pattern would take for more than itself.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// of is the folder of a support tool in which a file lies, below or at the argument root, and the file's path in it; nil if
// it lies in none.
func (b *bundles) of(file, root string) (l *layout, folder, inside string) {
	if l := b.known["."]; l != nil && root == "." {
		return l, ".", file
	}
	above := root
	if !strings.HasPrefix(file, root+"/") { // an archive: its label lacks the ending
		above = path.Dir(root)
	}
	for at, c := range file {
		if c != '/' || at < len(above) && above != "." {
			continue
		}
		folder, inside := file[:at], file[at+1:]
		if l := b.known[folder]; l != nil {
			return l, folder, inside
		}
		for i := range layouts {
			if layouts[i].folder.MatchString(path.Base(folder)) && !isArchive(folder) {
				return &layouts[i], folder, inside
			}
		}
	}
	return nil, "", ""
}

// isArchive reports whether a label names a packed file.
func isArchive(label string) bool {
	return slices.Contains([]string{".tar", ".zip", ".pax", ".gz", ".xz", ".zst", ".bz2"}, path.Ext(label))
}

// leaves reports whether a file is left aside, and counts it.
func (b *bundles) leaves(file, root string) bool {
	l, folder, inside := b.of(file, root)
	if l == nil {
		return false
	}
	count := b.seen[folder]
	if count == nil {
		count = &Aside{Folder: folder, Tool: l.tool}
		b.seen[folder] = count
	}
	count.Of++
	if l.wanted.MatchString(inside) {
		return false
	}
	count.Files++
	return true
}

// isLog reports whether the end of a file is enough of it.
func (b *bundles) isLog(file, root string) bool {
	l, _, inside := b.of(file, root)
	return l != nil && l.logs.MatchString(inside)
}

// counted lists the folders of which something was left aside, in the order of their names.
func (b *bundles) counted() []Aside {
	out := []Aside{}
	for _, a := range b.seen {
		if a.Files > 0 {
			out = append(out, *a)
		}
	}
	slices.SortFunc(out, func(x, y Aside) int { return strings.Compare(x.Folder, y.Folder) })
	return out
}

// readEnd reads the last n bytes of a text, from the first line that is whole, and says how much stood before.
func readEnd(from io.Reader, n int) (text []byte, before int64, err error) {
	buffer := make([]byte, 0, 2*n)
	for err == nil {
		if len(buffer) == cap(buffer) {
			over := len(buffer) - n
			before += int64(over)
			buffer = buffer[:copy(buffer, buffer[over:])]
		}
		var got int
		got, err = from.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+got]
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if before+int64(len(buffer)) <= int64(n) {
		return buffer, 0, err
	}
	over := max(0, len(buffer)-n)
	if end := bytes.IndexByte(buffer[over:], '\n'); end >= 0 {
		over += end + 1
	}
	return buffer[over:], before + int64(over), err
}

// endOnly says that only the end of a log was read.
func endOnly(before int64) string {
	return fmt.Sprintf("a log: its last %d MiB were read, %d bytes stand before them", tailOfLog>>20, before)
}
