package iplink

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// Forms of ifconfig: those of net-tools 2 (CentOS 7 and later), and those before, which busybox has too. A copy may have lost
// the blanks before a line.
var (
	newHead  = parse.Lazy(`^(\S+): flags=[0-9]+<([A-Z0-9_,]*)>\s+mtu ([0-9]+)\s*$`)
	oldHead  = parse.Lazy(`^(\S+)\s+Link encap:(\S+)(.*)$`)
	oldFlags = parse.Lazy(`^\s*((?:[A-Z0-9_]+ )+)\s*MTU:([0-9]+)(?:\s+M[eé]tri[ck]a?:[0-9]+)?\s*$`)
	encap    = parse.Lazy(`^\s*(ether|loop|infiniband|unspec|tunnel|ppp|sit)\b(?: (\S+))?`)
	inet     = parse.Lazy(`^\s*inet (?:addr:)?([0-9.]+)(?:\s.*?(?:netmask |Mask:)([0-9.]+))?`)
	inet6    = parse.Lazy(`^\s*inet6 (?:addr: ?)?([0-9a-f:.]+)(?:/|\s+prefixlen )([0-9]+).*?(?:Scope:|<)(\w+)`)
	figure   = parse.Lazy(`(?:\b([RT]X) )?\b([a-z]+)[ :]([0-9]+)\b`)
	hardware = parse.Lazy(`^\s*(?:Interrupt:|Base address:|Memory:|DMA chan:|device (?:interrupt|memory|base|dma) |options=|UNSPEC )`)
)

// netToolsNames are the counters of ifconfig and netstat -i that are one of the kernel's, by ip's names; frame and
// carrier are sums of several (net/core/net-procfs.c).
var netToolsNames = map[string]string{
	"packets": "packets", "bytes": "bytes", "errors": "errors", "dropped": "dropped", "overruns": "fifo", "collisions": "collisions",
	"OK": "packets", "ERR": "errors", "DRP": "dropped", "OVR": "fifo",
}

// encapsulations hold what old net-tools calls a type of link, and ip's names of them.
var encapsulations = map[string]string{"Ethernet": "ether", "InfiniBand": "infiniband",
	"Local": "loop", "Boucle": "loop", "Lokale": "loop", "Bucle": "loop", "Loopback": "loop"}

// otherWords are what old net-tools prints in French, German, Spanish, Italian and Portuguese, each before its English.
var otherWords = strings.NewReplacer(
	" inet adr:", " inet addr:", " inet Adresse:", " inet addr:", " Direc. inet:", " inet addr:", " indirizzo inet:", " inet addr:",
	" inet end.:", " inet addr:",
	" adr inet6:", " inet6 addr:", " inet6-Adresse:", " inet6 addr:", " Dirección inet6:", " inet6 addr:",
	" indirizzo inet6:", " inet6 addr:", " endereço inet6:", " inet6 addr:",
	" Masque:", " Mask:", " Maske:", " Mask:", " Másc:", " Mask:", " Maschera:", " Mask:", " Masc:", " Mask:",
	" Gültigkeitsbereich:", " Scope:", " Alcance:", " Scope:", " Escopo:", " Scope:",
	"Lien", "Link", "Verbindung", "Link", "Enlace", "Link", "Hote", "Host", "Hôte", "Host", "Maschine", "Host",
	"Anfitrión", "Host", "Máquina", "Host",
	"ACTIVO ", "UP ", "ARRIBA ", "UP ", "DIFUSIÓN ", "BROADCAST ", "BUCLE ", "LOOPBACK ", "FUNCIONANDO ", "RUNNING ",
	"CORRIENDO ", "RUNNING ",
	" Paquetes RX:", " RX packets:", " Paquetes TX:", " TX packets:", " pacotes RX:", " RX packets:", " pacotes TX:", " TX packets:",
	" errores:", " errors:", " erros:", " errors:", " errori:", " errors:", " perdidos:", " dropped:", " descartados:", " dropped:",
	" colisiones:", " collisions:", " colisões:", " collisions:", " Kollisionen:", " collisions:", " collisioni:", " collisions:",
	" Sendewarteschlangenlänge:", " txqueuelen:", " long.colaTX:", " txqueuelen:", " lg file transmission:", " txqueuelen:",
	" Bytes RX:", " RX bytes:", " Bytes TX:", " TX bytes:", " RX octets:", " RX bytes:", " TX octets:", " TX bytes:",
)

// ParseIfconfig reads Linux ifconfig, of old and new net-tools and of busybox. What it says of an alias
// (eth0:1) is its device's. Errors: parse.ErrNotRecognised if no line begins a device.
func ParseIfconfig(text []byte) (*Links, error) {
	l, seen := &Links{}, map[string]*Link{}
	var last *Link
	l.ReadComplete(text, func(line parse.Line) bool {
		at := line.Text
		begins, old := newHead.FindStringSubmatch(at), oldHead.FindStringSubmatch(at)
		switch {
		case begins != nil:
			last = l.device(seen, begins[1], line.Number)
			last.MTU = number(begins[3])
			last.flags(strings.FieldsFunc(begins[2], func(r rune) bool { return r == ',' }))
		case old != nil:
			last = l.device(seen, old[1], line.Number)
			last.linkType(encapsulations[old[2]], macIn(old[3]))
		default:
			return last != nil && last.ifconfig(otherWords.Replace(at))
		}
		return true
	})
	l.Links = slices.DeleteFunc(l.Links, func(x *Link) bool { return x.MTU == "" }) // cut off before it was said
	return parse.Recognised(l, l.Links != nil)
}

// device is the one of a name, which an alias shares with it. Those seen before are by name.
func (l *Links) device(seen map[string]*Link, name string, line int) *Link {
	name, _, _ = strings.Cut(name, ":")
	if seen[name] == nil {
		seen[name] = &Link{Name: name, Line: line}
		l.Links = append(l.Links, seen[name])
	}
	return seen[name]
}

// flags are as ip has them, where RUNNING says that there is a carrier.
func (l *Link) flags(list []string) {
	if slices.Contains(list, "RUNNING") {
		list = append(list, "LOWER_UP")
	}
	l.Flags = list
}

func (l *Link) linkType(kind, mac string) {
	switch kind {
	case "loop":
		l.Type = "loopback"
	case "ether", "infiniband":
		l.Type = kind
		if hasMAC(mac) {
			l.MAC = strings.ToLower(mac)
		}
	default:
		l.Type = "other"
	}
}

// ifconfig reads a line below a device's first; false if it is none of ifconfig's.
func (l *Link) ifconfig(line string) bool {
	if m := inet.FindStringSubmatch(line); m != nil {
		p, err := netip.ParsePrefix(m[1] + "/32")
		if mask := net.ParseIP(m[2]).To4(); err == nil && mask != nil {
			if ones, bits := net.IPMask(mask).Size(); bits > 0 {
				l.Addresses = append(l.Addresses, &Address{Family: "inet", Local: p.Addr().String(), Prefix: ones})
			}
		}
		return err == nil
	}
	if m := inet6.FindStringSubmatch(line); m != nil {
		p, err := netip.ParsePrefix(m[1] + "/" + m[2])
		if err == nil {
			l.Addresses = append(l.Addresses, &Address{Family: "inet6", Local: p.Addr().String(), Prefix: p.Bits(), Scope: strings.ToLower(m[3])})
		}
		return err == nil
	}
	if m := oldFlags.FindStringSubmatch(line); m != nil {
		l.flags(strings.Fields(m[1]))
		l.MTU = number(m[2])
		return true
	}
	kind := encap.FindStringSubmatch(line)
	if kind != nil && !isBlank(line[0]) && !hasMAC(kind[2]) && !strings.Contains(line, "txqueuelen") { // words, not indented
		return false
	}
	if kind != nil {
		l.linkType(kind[1], kind[2])
	}
	direction, known := "", kind != nil || hardware.MatchString(line)
	for _, m := range figure.Regexp().FindAllStringSubmatch(line, -1) {
		if m[1] != "" {
			direction = m[1]
		}
		known = known || direction != "" || m[2] == "collisions"
		switch {
		case m[2] == "txqueuelen":
			l.TxQueue = number(m[3])
		case m[2] == "collisions":
			l.tally("TX", m[2], m[3])
		default:
			l.tally(direction, m[2], m[3])
		}
	}
	return known
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// macIn is the hardware address among words; empty if there is none, as where somebody took it out.
func macIn(words string) string {
	list := strings.Fields(words)
	at := slices.IndexFunc(list, hasMAC)
	if at < 0 {
		return ""
	}
	return list[at]
}

func hasMAC(word string) bool {
	_, err := net.ParseMAC(word)
	return err == nil
}

// tally takes a counter by its name in net-tools. What is dropped on receipt has what a port missed in it.
func (l *Link) tally(direction, name, text string) {
	name, n := netToolsNames[name], number(text)
	switch {
	case name == "" || n == "":
	case direction == "TX":
		l.counted().TX[name] = n
	case direction == "RX" && name == "dropped":
		l.counted().RX["dropped+missed"] = n
	case direction == "RX":
		l.counted().RX[name] = n
	}
}

// netstatFlags are the letters of its last column as ip has them.
var netstatFlags = map[rune]string{
	'U': "UP", 'R': "RUNNING", 'B': "BROADCAST", 'L': "LOOPBACK", 'P': "POINTOPOINT", 'm': "MASTER", 's': "SLAVE",
}

// ParseNetstat reads Linux netstat -i. Errors: parse.ErrNotRecognised without its heading.
func ParseNetstat(text []byte) (*Links, error) {
	l, seen := &Links{}, map[string]*Link{}
	var columns []string
	for _, line := range parse.Lines(text, &l.Report) {
		f := strings.Fields(line.Text)
		switch {
		case len(f) > 2 && f[0] == "Iface" && f[1] == "MTU":
			columns = f
		case columns == nil && strings.HasPrefix(line.Text, "Kernel Interface table"):
		case len(f) > 1 && strings.Contains(line.Text, "no statistics available"): // an alias
		case columns == nil || len(f) != len(columns) || l.CutOff(line):
			l.NotUnderstood(line)
		default:
			x := l.device(seen, f[0], line.Number)
			var flags []string
			for i, value := range f {
				direction, name, _ := strings.Cut(columns[i], "-")
				x.tally(direction, name, value)
			}
			for _, letter := range f[len(f)-1] {
				if name := netstatFlags[letter]; name != "" {
					flags = append(flags, name)
				}
			}
			x.MTU = number(f[1])
			x.flags(flags)
			if x.Has("LOOPBACK") {
				x.Type = "loopback"
			}
		}
	}
	return parse.Recognised(l, columns != nil)
}
