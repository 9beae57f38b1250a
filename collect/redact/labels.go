package redact

import (
	"strings"

	"seaworthy/collect"
	"seaworthy/dialect"
	"seaworthy/dialect/aix/hmc"
)

// kind replaces one kind of identity.
type kind func(Key, string) string

// label are places where an output says of what kind a word is. Group 1 is the
// word.
type label struct {
	of    kind
	at    []*dialect.Pattern
	local bool // it says nothing about the same word elsewhere
}

func keep(_ Key, s string) string { return s }

// names replaces each word of a name, unless it says that there is none.
func names(k Key, s string) string {
	return nameWord.Regexp().ReplaceAllStringFunc(s, func(w string) string {
		if nothing[w] || len(w) < 6 && strings.Trim(w, "0123456789") == "" {
			return w
		}
		return k.Name(w)
	})
}

var (
	nameWord = dialect.Lazy(`[^\s.(),:'"/][^\s(),:'"/]*`)
	nothing  = map[string]bool{"-": true, "--": true, "null": true, "none": true, "all": true, "None": true, "N/A": true, "localhost": true,
		"root": true, "padmin": true}
)

func compile(list ...string) []*dialect.Pattern {
	var out []*dialect.Pattern
	for _, e := range list {
		out = append(out, dialect.Lazy(e))
	}
	return out
}

// said are the labels of all outputs.
var said = []label{
	{of: names, at: compile(
		`(?m)^[ \t]*(?:Node  ?Name|Partition  ?Name|Host Name|Hostname|Client Partition Name|Node Id|Domain Name)[ \t]*:[ \t]*([^\s:,][^\n:,]*)`,
		`(?m)^(?:AIX|Linux|VIOS) (\S+) \d`,
		`(?m)^[ \t]*hostname[ \t]+(\S+)[ \t]`,
		`(?m)^LPAR Info: -?\d+ (\S[^\n]*)`,
		`(?m)^AAA,(?:host|runname|NodeName),(\S+?)[ \t\r]*$`,
		`(?m)^AAA,LPARNumberName,\d+,(\S+?)[ \t\r]*$`,
		`(?m)^running lssea on (\S+)`,
		`(?m)^VIOS hostname:[ \t\r]*\n(\S+)`,
		`(?:^|[,"\n])(?:lpar_name|client_lpar_name|backing_lpar_name|remote_lpar_name|hmc_name|partition_name|sys_name|hostname)=([^,"\n\r]+)`,
		`(?m)^"?name=([^,"\n\r]+),(?:lpar_id|type_model|lpar_name|[^\n]*lpar_env)`,
		`(?m)^(?:vnicserver|vfchost)\d+[ \t]+U\S+[ \t]+\d+[ \t]+(\S+)`, // lsmap: location, client's id, its name
		`\bsriov/([^/,\s]+)/`,
		`(?m)^[ \t]*<(?:name|title|description)>([^<\n]+)`, // of a virtual machine
		` -m[ \t]+([A-Za-z]\S*)`,
	)},
	{of: Key.Serial, at: compile(
		`(?i)\bMachine Serial Number:[ \t]*([0-9A-Z]{6,12})\b`,
		`\bIBM,(\d{2}[0-9A-Z]{7})\b`,
		`(?m)^AAA,SerialNumber,([0-9A-Z]{6,12})`,
		`\bU[0-9A-Z]{4}\.[0-9A-Z]{3}\.([0-9A-Z]{7,8})\b`,
		`\b\d{4}-[0-9A-Z]{3}[*-](?:SN)?([0-9A-Z]{7})\b`,
		`(?:serial_num|logical_serial_num|serial_number)=(?:IBM,)?([0-9A-Z]{6,10})\b`,
		`(?im)\bSerial (?:Number|No)(?:\.{2,}|:)[ \t]*([0-9A-Z]{5,16})\b`,
		`(?i)\b(?:serial(?:[ _]?(?:number|num|no))?|s/n)[ \t.:=#]+(?:is[ \t]+)?([0-9A-Z]*\d[0-9A-Z]{4,15})\b`, // in prose
		`(?m)^[ \t]*os_?serial[ \t]*[:=][ \t]*([0-9A-Z]{5,16})`,
	)},
	{of: Key.Hex, at: compile(
		`(?m)^(?:AIX \S+ \d+ \d+ |Machine Id:[ \t]*|)00([0-9A-F]{6})[0-9A-F]{2}00[ \t\r]*$`, // uname -m: six digits of the serial number
	)},
	{of: Key.mac, at: compile(
		`(?i)(?:(?:Network Address|Manufacture ID)\.{2,}[ \t]*|mac_addr="?|mac(?: address)?[ \t]*[:=][ \t]*|_addr[ \t]+0x)([0-9A-F]{12})\b`,
	)},
	{of: Key.Hex, at: compile(
		`(?i)(?:world wide|wwpn|wwn|port id)[\w ]*[.:=]+[ \t]*(?:0x)?([0-9A-F]{16})\b`,
	)},
	{of: Key.network, local: true, at: compile(
		`(?m)^[ \t]*(?:en|et|lo|ib|vi|sit|tun)\d+\*?[ \t]+\d+[ \t]+(\d{1,3}(?:\.\d{1,3}){0,2}(?:/\d{1,2})?)[ \t]`,
		`(?m)^[ \t]*(\d{1,3}(?:\.\d{1,3}){0,2}(?:/\d{1,2})?)[ \t]+\S+[ \t]+[UGHSbcmlLWDMRBPX1-3]*U[UGHSbcmlLWDMRBPX1-3]*[ \t]`,
	)},
	{of: names, local: true, at: compile(
		`(?m)^[ \t]+alias[ \t]+(\S[^\n]*)`, `"ifalias":[ \t]*"([^"\n]*)"`, // what somebody calls a device, in words
	)},
	{of: keep, local: true, at: compile(
		`\bflags=([0-9a-f]+,[0-9a-f]+(?:\([0-9a-f]+\))?)`, `\(([0-9a-f]{8}|[0-9a-f]{16})\)`,
		`(?m)^([0-9A-F]{8}[ \t]+\d{10})[ \t]`, `IDENTIFIER:[ \t]+([0-9A-F]{8})`,
		`(?:Part Number|FRU Number|EC Level|ROM Level[^.]*)\.+([\w.-]+)`, `(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))`,
	)},
}

// Redactor replaces with one key what it learned from some hosts, and whatever
// is not known to be harmless.
type Redactor struct {
	key     Key
	known   map[string]kind // lower case
	common  map[string]bool // names replaced only where they are said to be names
	longest int             // parts of the longest that is known
}

// New makes a redactor that has learned nothing yet.
func New(k Key) *Redactor {
	return &Redactor{key: k, known: map[string]kind{}, common: map[string]bool{}, longest: 1}
}

// Learn takes the names and numbers that a text says are such.
func (r *Redactor) Learn(text []byte) {
	s := string(text)
	for _, l := range said {
		if l.local {
			continue
		}
		for _, at := range l.at {
			for _, m := range at.Regexp().FindAllStringSubmatch(s, -1) {
				for w := range strings.FieldsSeq(m[1]) { // a partition's name may have several words
					r.learn(w, l.of)
				}
			}
		}
	}
	for _, m := range macShape.Regexp().FindAllString(s, -1) {
		r.learn(strings.NewReplacer(":", "", "-", "").Replace(m), Key.mac)
	}
}

// LearnName takes a host's or a user's name.
func (r *Redactor) LearnName(s string) { r.learn(s, names) }

// learn takes a word, and of lpar1.example.com also its first label. A name that
// is also a word of the outputs is one only where they say so.
func (r *Redactor) learn(s string, of kind) {
	s = strings.Trim(strings.ToLower(s), `.,:()'"`)
	switch {
	case s == "" || nothing[s] || len(s) < 6 && strings.Trim(s, "0123456789") == "" || strings.Trim(s, "0") == "":
		return
	case harmless(s) && strings.Trim(s, "0123456789") != "" || len(s) < 3:
		r.common[s] = true
		return
	}
	r.known[s] = of
	r.longest = max(r.longest, len(separator.Regexp().Split(s, -1)))
	if label, _, ok := strings.Cut(s, "."); ok {
		r.learn(label, of)
	}
}

// table takes what only its column shows to be a name or a number: the lists of
// an HMC without the columns' names beside the values.
func (r *Redactor) table(rec *collect.Record, text []byte) {
	l, err := hmc.Read(rec.Line, text)
	if err != nil || !strings.HasPrefix(rec.ID, "hmc-") {
		return
	}
	for _, x := range l.Records {
		for _, f := range x.Fields {
			r.Learn([]byte("," + f.Name + "=" + f.Value))
		}
	}
}
