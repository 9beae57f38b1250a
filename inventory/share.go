package inventory

import (
	"hash/maphash"
	"slices"
	"sync"
)

// Sharing keeps one copy of what many hosts have alike. In a fleet most
// attributes have the same values, from the same lines of output, on every
// host; their text is also freed from the outputs it was cut out of.
//
// Attributes and lists of words of hosts that were shared must not be changed.
// Its zero value is ready; it may be used at the same time from several
// goroutines.
type Sharing struct {
	mu    sync.Mutex
	seed  maphash.Seed
	texts map[string]string
	ptrs  map[string]*string
	attrs map[uint64]*Attr
	lists map[uint64]map[string]*Attr
	words map[uint64][]string // names of counters, flags, ...
}

// Host makes a host use what earlier ones had alike.
func (s *Sharing) Host(h *Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil {
		s.seed = maphash.MakeSeed()
		s.texts, s.ptrs = map[string]string{}, map[string]*string{}
		s.attrs, s.lists = map[uint64]*Attr{}, map[uint64]map[string]*Attr{}
		s.words = map[uint64][]string{}
	}
	for _, t := range []*string{&h.Name, &h.User, &h.Level, &h.OS, &h.IOSLevel, &h.MachineID, &h.Partition.Name, &h.Partition.Type, &h.Partition.Mode} {
		s.text(t)
	}
	elements := make(map[string]*Element, len(h.Elements))
	for name, e := range h.Elements {
		if e != nil {
			s.element(e)
		}
		s.text(&name)
		elements[name] = e
	}
	h.Elements = elements
	h.Tunables = s.attributes(h.Tunables)
	s.counters(&h.Protocols)
	for i := range h.Routes {
		s.text(&h.Routes[i].Interface)
		s.text(&h.Routes[i].Origin)
	}
	for i := range h.Servers {
		v := &h.Servers[i]
		for _, t := range []*string{&v.Name, &v.Backing, &v.Client, &v.ClientDevice, &v.ClientLocation, &v.State} {
			s.text(t)
		}
	}
	for name, f := range h.Figures {
		s.text(&f.From.Command)
		s.text(&f.From.Text)
		h.Figures[name] = f // the names are ours, not the host's
	}
	fixes := h.Fixes
	if len(fixes) > 0 {
		h.Fixes = make(map[string]bool, len(fixes))
	}
	for name, there := range fixes {
		s.text(&name)
		h.Fixes[name] = there
	}
	for i := range h.Gaps {
		s.text(&h.Gaps[i].What)
		s.text(&h.Gaps[i].Why)
	}
}

func (s *Sharing) element(e *Element) {
	for _, t := range []*string{&e.Name, &e.Driver, &e.State, &e.Location, &e.MAC, &e.On, &e.Real, &e.Control, &e.MemberOf, &e.VSwitch, &e.HAState, &e.BridgeMode, &e.Channel} {
		s.text(t)
	}
	for _, list := range []*[]string{&e.Flags, &e.Trunks, &e.Members} {
		s.list(list)
	}
	for i := range e.Seen {
		s.text(&e.Seen[i].MAC)
		s.text(&e.Seen[i].IP)
	}
	for i := range e.Backing {
		b := &e.Backing[i]
		for _, t := range []*string{&b.VIOS, &b.Host, &b.Device, &b.Server, &b.State, &b.LogicalPort} {
			s.text(t)
		}
	}
	s.buffers(e.Buffers)
	e.Attrs = s.attributes(e.Attrs)
	s.counters(&e.Counters)
}

// buffers moves the numbers of the pools together: they lie among all the
// others of the output they were read from.
func (s *Sharing) buffers(pools []Buffer) {
	numbers := make([]uint64, 0, 6*len(pools))
	for i := range pools {
		b := &pools[i]
		s.text(&b.Pool)
		for _, p := range []**uint64{&b.Min, &b.Max, &b.Allocated, &b.Registered, &b.MaxAllocated, &b.LowestRegistered} {
			if *p != nil {
				numbers = append(numbers, **p)
				*p = &numbers[len(numbers)-1]
			}
		}
	}
}

// text replaces a text by the first one like it.
func (s *Sharing) text(t *string) {
	if *t == "" {
		*t = "" // an empty part of an output keeps the whole of it
		return
	}
	have, ok := s.texts[*t]
	if !ok {
		have = string([]byte(*t))
		s.texts[have] = have
	}
	*t = have
}

// list replaces a list by the first one like it.
func (s *Sharing) list(l *[]string) {
	if len(*l) == 0 {
		return
	}
	sum := s.sum(*l)
	have, ok := s.words[sum]
	if ok && slices.Equal(have, *l) {
		*l = have
		return
	}
	own := make([]string, len(*l))
	for i, t := range *l {
		s.text(&t)
		own[i] = t
	}
	if *l = own; !ok {
		s.words[sum] = own
	}
}

// sum is a hash of texts in their order.
func (s *Sharing) sum(texts []string) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, t := range texts {
		_, _ = h.WriteString(t)
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

func (s *Sharing) value(p **string) {
	if *p == nil {
		return
	}
	have, ok := s.ptrs[**p]
	if !ok {
		text := **p
		s.text(&text)
		have = &text
		s.ptrs[text] = have
	}
	*p = have
}

// counters takes the names of earlier ones that have the same.
func (s *Sharing) counters(c *Counters) {
	if c.IsZero() {
		*c = Counters{}
		return
	}
	s.list(&c.names)
}

// attributes gives the map itself of an earlier host, if it holds the same.
func (s *Sharing) attributes(m map[string]*Attr) map[string]*Attr {
	if m == nil {
		return nil
	}
	sum := uint64(len(m))
	out := make(map[string]*Attr, len(m))
	for name, a := range m {
		s.text(&name)
		if a != nil {
			a = s.attr(a)
		}
		out[name] = a
		sum += maphash.Comparable(s.seed, struct {
			string
			*Attr
		}{name, a})
	}
	have, ok := s.lists[sum]
	if !ok {
		s.lists[sum] = out
		return out
	}
	if len(have) != len(out) {
		return out
	}
	for name, a := range out {
		if b, there := have[name]; !there || a != b {
			return out
		}
	}
	return have
}

// attr gives an earlier attribute that is the same in all.
func (s *Sharing) attr(a *Attr) *Attr {
	var h maphash.Hash
	h.SetSeed(s.seed)
	word := func(t string) {
		_, _ = h.WriteString(t)
		_ = h.WriteByte(0)
	}
	word(a.Name)
	for _, p := range []*string{a.Running, a.NextBoot, a.Default} {
		if p == nil {
			_ = h.WriteByte(1)
			continue
		}
		word(*p)
	}
	for _, t := range a.Allowed {
		word(t)
	}
	for i := range a.From {
		word(a.From[i].Command)
		word(a.From[i].Text)
		maphash.WriteComparable(&h, a.From[i].Line)
	}
	sum := h.Sum64()
	have, ok := s.attrs[sum]
	if ok && have.same(a) {
		return have
	}
	s.text(&a.Name)
	for _, p := range []**string{&a.Running, &a.NextBoot, &a.Default} {
		s.value(p)
	}
	s.list(&a.Allowed)
	for i := range a.From {
		s.text(&a.From[i].Command)
		s.text(&a.From[i].Text)
	}
	a.From = slices.Clip(a.From)
	if !ok {
		s.attrs[sum] = a
	}
	return a
}

// same says that two attributes hold the same.
func (a *Attr) same(b *Attr) bool {
	return a.Name == b.Name && equal(a.Running, b.Running) && equal(a.NextBoot, b.NextBoot) && equal(a.Default, b.Default) &&
		equal(a.Settable, b.Settable) && slices.Equal(a.Allowed, b.Allowed) && slices.Equal(a.From, b.From)
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
