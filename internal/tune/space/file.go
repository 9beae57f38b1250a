package space

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// MaxFile is how large a file of factors may be, in bytes.
const MaxFile = 1 << 20

// file is a space as a person writes it:
//
//	factors:
//	  - {host: vios1, element: ent5, attribute: largesend, values: [0, 1]}
//	  - name: window
//	    together:
//	      - {host: lpar1, element: en0, attribute: tcp_sendspace, values: [262144, 524288]}
//	      - {host: lpar2, element: en0, attribute: tcp_recvspace, values: [262144, 524288]}
type file struct {
	Factors []written `yaml:"factors"`
}

type written struct {
	Name     string `yaml:"name"`
	varied   `yaml:",inline"`
	Together []varied `yaml:"together"`
}

type varied struct {
	Host      string   `yaml:"host"`
	Element   string   `yaml:"element"`
	Attribute string   `yaml:"attribute"`
	Values    []string `yaml:"values"`
}

// Parse takes the factors of a file instead of the catalogue's. Whatever of it cannot be
// tried on the path's hosts is an error: all of them are given together.
func Parse(name string, text []byte, fleet *model.Fleet, path *model.Path, most knowledge.Class, try Try) (*Space, error) {
	var f file
	if err := decode.YAML(name, text, &f); err != nil {
		return nil, err
	}
	if len(f.Factors) == 0 {
		return nil, fmt.Errorf("%s: no factors: expected factors: [{host: …, element: …, attribute: …, values: […]}]", name)
	}
	s := &Space{}
	var wrong []error
	for i, w := range f.Factors {
		factor, err := w.factor(fleet, path)
		if err == nil && slices.ContainsFunc(s.Factors, func(o Factor) bool { return o.Name == factor.Name }) {
			err = fmt.Errorf("%s is there twice", factor.Name)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: factor %d: %w", name, i+1, err))
			continue
		}
		s.Factors = append(s.Factors, *factor)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	if err := s.limited(most, try); err != nil {
		return nil, err
	}
	for _, l := range s.Left {
		wrong = append(wrong, fmt.Errorf("%s: %s: %s", name, l.What, l.Why))
	}
	return s, errors.Join(wrong...)
}

func (w *written) factor(fleet *model.Fleet, path *model.Path) (*Factor, error) {
	all := w.Together
	if len(all) == 0 {
		all = []varied{w.varied}
	} else if w.Attribute != "" {
		return nil, errors.New("attribute and together exclude each other")
	}
	f := &Factor{Name: w.Name}
	for _, v := range all {
		m, err := v.member(fleet, path)
		if err != nil {
			return nil, err
		}
		f.members = append(f.members, *m)
	}
	f.Name = cmp.Or(f.Name, f.members[0].ref.String()+" "+f.members[0].attr.Name)
	f.build()
	if len(f.Levels) < 2 {
		return nil, fmt.Errorf("%s: every value is the present one", f.Name)
	}
	return f, nil
}

// member finds what a file names. What the host itself says about a value, planning it
// finds out.
func (v *varied) member(fleet *model.Fleet, path *model.Path) (*member, error) {
	switch {
	case v.Host == "" || v.Element == "" || v.Attribute == "":
		return nil, errors.New("host, element and attribute are needed")
	case len(v.Values) == 0:
		return nil, fmt.Errorf("%s:%s %s: no values", v.Host, v.Element, v.Attribute)
	}
	ref := model.Ref{Host: v.Host, Element: v.Element}
	h := fleet.Host(v.Host)
	if h == nil || !slices.ContainsFunc(path.Hops, func(x model.Hop) bool { return x.Ref != nil && x.Ref.Host == v.Host }) {
		return nil, fmt.Errorf("%s: this host was not read, or is not on the path", v.Host)
	}
	layer, values := v.Element, h.Tunables
	if el := h.Elements[v.Element]; el != nil {
		layer, values = string(el.Kind), el.Attrs
	} else if v.Element != string(task.No) && v.Element != string(task.Sysctl) {
		return nil, fmt.Errorf("%s has no element %s", v.Host, v.Element)
	}
	if h.Platform == model.Linux {
		layer = string(model.Linux)
	}
	attr, ok := knowledge.BuiltIn().Attribute(layer, v.Attribute)
	if !ok {
		return nil, fmt.Errorf("%s %s: layer %s of the catalogue has no such attribute (seaworthy attributes ls)", ref, v.Attribute, layer)
	}
	have := values[v.Attribute]
	if have == nil || have.Running == nil && have.NextBoot == nil {
		return nil, fmt.Errorf("%s %s: its present value is not known, so it could not be put back", ref, v.Attribute)
	}
	for _, value := range v.Values {
		if err := attr.Accepts(value); err != nil && len(have.Allowed) == 0 {
			return nil, fmt.Errorf("%s %w", ref, err)
		}
	}
	return &member{ref: ref, attr: attr, have: have.Current(), levels: v.Values}, nil
}
