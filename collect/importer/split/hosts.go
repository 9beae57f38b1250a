package split

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/collect/importer/detect"
	"seaworthy/dialect"
)

// section is what one host printed, in a text of several.
type section struct {
	host  string
	from  string // how that is known
	line  int    // 0-based, its first line
	ruled bool   // a ruler below its heading belongs to that
	lines []string
}

// ofHosts takes apart a text in which several hosts answer, and each answer as
// if it stood alone. Nil: no line says so.
func ofHosts(ctx context.Context, lines []string, name string) *Cut {
	sections := byHost(ctx, lines, detect.Hint{File: name})
	if sections == nil {
		return nil
	}
	c := &Cut{Form: Hosts}
	for _, s := range sections {
		for _, p := range s.pieces(ctx, name) {
			c.Pieces = append(c.Pieces, p)
			if len(c.Pieces) > maxPieces {
				return nil
			}
		}
	}
	if len(c.Pieces) == 0 {
		return nil
	}
	return c
}

// ofHosts is a piece, or what several hosts printed in it.
func (p Piece) ofHosts(ctx context.Context) []Piece {
	sections := byHost(ctx, split(p.Text), detect.Hint{Command: p.Command, File: p.Title})
	if sections == nil {
		return []Piece{p}
	}
	var list []Piece
	for _, s := range sections {
		for _, x := range s.pieces(ctx, p.Title) {
			if x.Command == "" {
				x.Command = p.Command
			}
			x.Line += p.Line - 1
			list = append(list, x)
		}
	}
	return list
}

func byHost(ctx context.Context, lines []string, hint detect.Hint) []section {
	if s := prefixed(ctx, lines, hint); s != nil {
		return s
	}
	return banners(ctx, lines, hint)
}

// before is the host that dsh, clush or pdsh -w puts before each line.
var before = dialect.Lazy(`^([A-Za-z0-9][\w.-]{0,254}):(?: |\t|\r?\n)`)

// prefixed takes apart the lines of several hosts that each begin with their
// host's name. An output whose lines happen to begin with words and colons is
// none: what is left behind the names must be one that is known.
func prefixed(ctx context.Context, lines []string, hint detect.Hint) []section {
	all, distinct := 0, map[string]int{}
	for _, l := range lines {
		b := body(l)
		if b == "" {
			continue
		}
		all++
		if host := before.FindStringSubmatch(b + " "); host != nil {
			distinct[host[1]]++
		}
	}
	named := 0
	for host, n := range distinct {
		if detect.ParseCommand(host).ID != "" || caption[strings.ToLower(host)] { // a program's message, a heading
			delete(distinct, host)
			continue
		}
		named += n
	}
	if named == 0 || named*20 < all*19 || len(distinct) > 2000 {
		return nil
	}
	var list []section
	index := map[string]int{}
	for i, l := range lines {
		m := before.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if _, ok := distinct[m[1]]; !ok {
			continue
		}
		at, seen := index[m[1]]
		if !seen {
			at = len(list)
			index[m[1]] = at
			list = append(list, section{host: m[1], from: "name before each line", line: i})
		}
		rest := l[len(m[0]):]
		if end := m[0][len(m[0])-1]; end != ' ' {
			rest = string(end) + rest // a tab is the output's, and so is the line's end
		}
		list[at].lines = append(list[at].lines, rest)
	}
	if !known(ctx, list, hint) {
		return nil
	}
	return list
}

// caption are words that a script puts before an answer of one word.
var caption = map[string]bool{
	"level": true, "version": true, "release": true, "hostname": true, "host": true, "node": true, "name": true, "model": true,
	"system": true, "output": true, "result": true, "date": true, "os": true, "uptime": true, "error": true, "warning": true, "note": true,
}

// known reports whether what some of the sections hold is an output, or several.
func known(ctx context.Context, list []section, hint detect.Hint) bool {
	for i := range list {
		if i >= 3 {
			break
		}
		for _, p := range list[i].pieces(ctx, "") {
			asked := cmp.Or(p.Command, hint.Command)
			f, ok := detect.Text(p.Text, detect.Hint{Command: asked, File: hint.File})
			// Numbers alone are what lsattr -R lists, and what follows any label.
			if ok && f.Known && (f.ID != "lsattr-Rl" || f.Attribute != "") {
				return true
			}
		}
	}
	return false
}

var (
	// HOST: lpar1, NODE lpar1, Host lpar1:, *** lpar1 ***
	labelled = dialect.Lazy(`^(?:[=*#+~<>-]{2,}[ \t]*)?(?i:hosts?|node|server|lpar|partition|system)(?:[ \t]*:[ \t]*|` +
		`[ \t]+)([A-Za-z0-9][\w.-]*)[ \t]*:?(?:[ \t]*[=*#+~<>-]{2,})?$`)
	// lpar1 | CHANGED | rc=0 >>
	played = dialect.Lazy(`^([A-Za-z0-9][\w.-]*) \| (?:CHANGED|SUCCESS|FAILED!?|UNREACHABLE!?)(?: \| rc=-?\d+(?: \| \(std(?:out|` +
		`err)\))?)? ?>>`)
	alone = dialect.Lazy(`^[A-Za-z0-9][\w.-]*$`)
	adorn = dialect.Lazy(`^([=*#+~<>-]{2,}[ \t]*)([A-Za-z0-9][\w.-]*)([ \t]*[=*#+~<>-]*)$`)
)

// banners takes apart a text in which a heading says whose answer follows:
// dshbak, clcmd, clush -b, ansible, a loop with echo.
func banners(ctx context.Context, lines []string, hint detect.Hint) []section {
	heads := map[int]section{} // by the line of the heading; lines: how many it takes is in line
	ornaments := map[string][]int{}
	for i, l := range lines {
		b := body(l)
		if b == "" || len(b) > 300 {
			continue
		}
		above := i > 0 && isRuler(body(lines[i-1]))
		below := i+1 < len(lines) && isRuler(body(lines[i+1]))
		switch {
		case strings.Contains(b, ">>") && played.MatchString(b):
			heads[i] = section{host: played.FindStringSubmatch(b)[1], from: "heading of ansible"}
			continue
		case labelled.MatchString(b) && (above || below || strings.HasPrefix(b, "HOST: ") || isRuler(b[:2]+b[:1])):
			heads[i] = section{host: labelled.FindStringSubmatch(b)[1], from: "heading", ruled: below}
			continue
		case above && below && alone.MatchString(b) && hostLike(b):
			heads[i] = section{host: b, from: "heading", ruled: true}
			continue
		}
		if m := adorn.FindStringSubmatch(b); m != nil && hostLike(m[2]) {
			ornaments[m[1]+"\x00"+m[3]] = append(ornaments[m[1]+"\x00"+m[3]], i)
		}
	}
	for _, at := range ornaments {
		names := map[string]bool{}
		for _, i := range at {
			names[adorn.FindStringSubmatch(body(lines[i]))[2]] = true
		}
		if len(names) == len(at) && len(at) > 1 { // each once: hosts, not the parts of one
			for _, i := range at {
				heads[i] = section{host: adorn.FindStringSubmatch(body(lines[i]))[2], from: "heading"}
			}
		}
	}
	if len(heads) == 0 {
		return nil
	}
	order := make([]int, 0, len(heads))
	for i := range heads {
		order = append(order, i)
	}
	slices.Sort(order)
	var list []section
	add := func(s section, from, to int) {
		if next, more := heads[to]; more && next.ruled && to > from && isRuler(body(lines[to-1])) {
			to-- // the ruler above the next heading
		}
		if s.ruled && from < to && isRuler(body(lines[from])) {
			from++
		}
		if from < to {
			s.line, s.lines = from, lines[from:to]
			list = append(list, s)
		}
	}
	add(section{}, 0, order[0])
	for k, i := range order {
		to := len(lines)
		if k+1 < len(order) {
			to = order[k+1]
		}
		add(heads[i], i+1, to)
	}
	with := list
	if len(list) > 0 && list[0].host == "" {
		with = list[1:]
	}
	if !known(ctx, with, hint) {
		return nil
	}
	return list
}

// hostLike reports whether a word may be a host's name: not a device, a program or
// a word of a script's own headings.
func hostLike(word string) bool {
	low := strings.ToLower(word)
	if detect.ParseCommand(low).ID != "" || detect.IsDevice(low) {
		return false
	}
	if low[0] >= '0' && low[0] <= '9' { // a level, unless it is an address
		_, err := netip.ParseAddr(low)
		return err == nil
	}
	return strings.ContainsAny(low, "0123456789")
}

func (s *section) pieces(ctx context.Context, name string) []Piece {
	text := strings.Join(s.lines, "")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var list []Piece
	c := parted(ctx, []byte(text), s.lines, name)
	for _, p := range c.Pieces {
		p.Sole = c.Form == Whole
		if p.Host == "" && s.host != "" {
			p.Host, p.HostFrom = s.host, s.from
		}
		p.Line += s.line
		list = append(list, p)
	}
	return list
}
