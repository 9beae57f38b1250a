package redact

import (
	"strings"

	"seaworthy/collect"
	"seaworthy/dialect"
)

// sayings are the places where an output says that a word is a host's name.
// The group is the word.
var sayings = compile(
	`(?m)^[ \t]*(?:Node  ?Name|Partition  ?Name|Host Name|Hostname|Client Partition Name|Node Id|Domain Name)[ \t]*:[ \t]*([^\s:,][^\n:,]*)`,
	`(?m)^(?:AIX|Linux|VIOS) (\S+) \d`,
	`(?m)^[ \t]*hostname[ \t]+(\S+)[ \t]`,
	`(?m)^LPAR Info: -?\d+ (\S[^\n]*)`,
	`(?m)^AAA,(?:host|runname|NodeName),(\S+?)[ \t\r]*$`,
	`(?m)^AAA,LPARNumberName,\d+,(\S+?)[ \t\r]*$`,
	`(?m)^running lssea on (\S+)`,
	`(?m)^VIOS hostname:[ \t\r]*\n([^\s]+)`,
	`(?:^|[,"\n])(?:lpar_name|client_lpar_name|backing_lpar_name|remote_lpar_name|hmc_name)=([^,"\n\r]+)`,
	`(?m)^"?name=([^,"\n\r]+),(?:lpar_id|type_model|lpar_name|[^\n]*lpar_env)`,
	`(?m)^partition_name=([^\s]+)`,
)

// serials are the places where an output says that a word is a serial number.
var serials = compile(
	`(?i)\bMachine Serial Number:[ \t]*([0-9A-Z]{6,12})\b`,
	`\bIBM,(\d{2}[0-9A-Z]{7})\b`,
	`(?m)^AAA,SerialNumber,([0-9A-Z]{6,12})`,
	`\bU[0-9A-Z]{4}\.[0-9A-Z]{3}\.([0-9A-Z]{7,8})\b`,
	`\b\d{4}-[0-9A-Z]{3}[*-]([0-9A-Z]{7})\b`,
	`(?:serial_num|logical_serial_num|serial_number)=(?:IBM,)?([0-9A-Z]{6,10})\b`,
	`(?m)Serial (?:Number|No)\.{2,}[ \t]*([0-9A-Za-z]{5,16})`,
	`(?m)^[ \t]*Serial Number:[ \t]*([0-9A-Z]{5,16})`,
	`(?m)Machine/Cabinet Serial No\.{2,}([0-9A-Z]{5,16})`,
	`(?m)^[ \t]*os_?serial[ \t]*[:=][ \t]*([0-9A-Z]{5,16})`,
)

// machines are the twelve digits of uname -m, which are a serial number's too.
var machines = compile(
	`(?m)^AIX \S+ \d+ \d+ ([0-9A-F]{12})[ \t\r]*$`,
	`(?m)^(00[0-9A-F]{6}[0-9A-F]{2}00)[ \t\r]*$`,
	`(?m)^Machine Id:[ \t]*([0-9A-F]{12})`,
)

// systemName is the end of the name that an HMC gives a managed system.
var systemName = dialect.Lazy(`\bSN([0-9A-Z]{7})\b`)

func compile(list ...string) []*dialect.Pattern {
	var out []*dialect.Pattern
	for _, e := range list {
		out = append(out, dialect.Lazy(e))
	}
	return out
}

// Redactor replaces with one key what it learned from some hosts.
type Redactor struct {
	key     Key
	words   map[string]string // lower case → replacement
	said    map[string]bool   // names replaced only where they are said to be names
	longest int               // parts of the longest word
	addrs   map[string]string
	bare    map[string]bool // MAC addresses as twelve upper case digits
}

// New makes a redactor that has learned nothing yet.
func New(k Key) *Redactor {
	return &Redactor{key: k, words: map[string]string{}, said: map[string]bool{}, longest: 1, addrs: map[string]string{},
		bare: map[string]bool{}}
}

// Ambiguous are the names that are also words of the outputs: they stay where
// nothing says that they are names.
func (r *Redactor) Ambiguous() []string {
	var out []string
	for n := range r.said {
		out = append(out, n)
	}
	return out
}

// Learn takes the names and serial numbers that a text says are such.
func (r *Redactor) Learn(text []byte) {
	for _, e := range sayings {
		for _, m := range e.Regexp().FindAllSubmatch(text, -1) {
			for w := range strings.FieldsSeq(string(m[1])) { // a partition's name may have several words
				r.name(w)
			}
		}
	}
	for _, e := range serials {
		for _, m := range e.Regexp().FindAllSubmatch(text, -1) {
			s := string(m[1])
			r.word(s, r.key.Serial(s))
			if len(s) == 9 && isDigit(s[0]) && isDigit(s[1]) {
				r.word(s[2:], r.key.Serial(s[2:]))
			}
		}
	}
	r.macs(string(text))
	for _, m := range systemName.Regexp().FindAllSubmatch(text, -1) {
		r.word(string(m[0]), "SN"+r.key.Serial(string(m[1])))
	}
	for _, e := range machines {
		for _, m := range e.Regexp().FindAllSubmatch(text, -1) {
			r.word(string(m[1]), r.key.Machine(string(m[1])))
		}
	}
}

// manifest takes the names in a snapshot's manifest.
func (r *Redactor) manifest(m *collect.Manifest) {
	r.name(m.Host)
	if m.User != "root" && m.User != "padmin" {
		r.name(m.User)
	}
}

// LearnName takes a host's or a user's name.
func (r *Redactor) LearnName(s string) { r.name(s) }

// name takes a host's name, and of lpar1.example.com also its first label and
// the domain.
func (r *Redactor) name(s string) {
	s = strings.Trim(strings.ToLower(s), ".")
	if s == "" || s == "-" {
		return
	}
	if common(s) {
		r.said[s] = true
		return
	}
	r.word(s, r.key.Name(s))
	if label, domain, ok := strings.Cut(s, "."); ok {
		if !common(label) {
			r.word(label, r.key.Name(label))
		}
		if strings.Contains(domain, ".") {
			r.word(domain, r.key.Name(domain))
		}
	}
}

func (r *Redactor) word(s, replacement string) {
	s = strings.ToLower(s)
	r.words[s] = replacement
	r.longest = max(r.longest, len(separators.Regexp().FindAllString(s, -1))+1)
}

var (
	separators = dialect.Lazy(`[^a-z0-9]+`)
	// parts of location codes (P1-C3-T1), and names of devices
	part    = dialect.Lazy(`^(?:[a-z]\d{0,3}|\d+)$`)
	devices = dialect.Lazy(`^(?:ent|en|et|lo|eth|bond|sit|fcs|fscsi|hdisk|vhost|vfchost|vscsi|vsa|vty|proc|mem|pci|sys|inet|sea|vio|cd|` +
		`usbhc|vnicserver|vnic|ib|team|ipv|rfc)\d*$`)
)

// common reports whether a name is also a word of the outputs.
func common(s string) bool {
	if len(s) < 3 || vocabulary[s] || devices.MatchString(s) {
		return true
	}
	return part.MatchString(s)
}

// vocabulary are words that the outputs use for something else.
var vocabulary = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`adapter adapters active address all allocated any application arp attribute authority available
		backup bad bond bridge broadcast buffer buffers bytes cache channel client clients collision column command configuration
		control count cpu crc current data database default defined description destination detail detach device disabled down driver
		dropped dump dynamic enabled error errors ethernet ethernet0 ethernet1
		ethernetvios failed failover false fibre file flags forwarding frames full
		gateway global group groups hardware hash header high history host hostname huge hypervisor ibm icmp identifier information
		interface interfaces internal internet interrupt large lan level limbo limit
		link linux lla local localhost location loopback lower lpar machine
		management mask max maximum media medium member memory min minimum mode model mtu multicast name net netmask network no node none normal
		number offload off on online operational options other output packet packets partition path pci physical platform pool port power
		powerpc primary priority private processor production protocol queue read
		real receive registered remote report resource root route router routing
		running sea security send serial server shared side size small software speed standard start state static statistics status stop subnet
		switch system table tcp test tiny total traffic transmit true trunk type udp unknown unlimited up user value vendor
		version vios virtual vlan vnic with write yes backing`) {
		m[w] = true
	}
	m["aix"], m["os"], m["ipv4"], m["ipv6"] = true, true, true, true
	return m
}()
