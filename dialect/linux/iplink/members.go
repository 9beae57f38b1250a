package iplink

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// members are an object's members in their order, with the typed ones as they
// were, so that only what was changed is printed anew.
type members struct {
	order []string
	raw   map[string]json.RawMessage
	typed map[string]json.RawMessage // the typed view, just after reading
}

// read fills v, a pointer to a struct without methods, and the members.
func (m *members) read(text []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	t, err := dec.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("not an object")
	}
	*m = members{raw: map[string]json.RawMessage{}}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if _, twice := m.raw[name]; twice {
			return fmt.Errorf("member %q twice", name)
		}
		m.order = append(m.order, name)
		m.raw[name] = value
		if err := fill(v, name, value); err != nil {
			return err
		}
	}
	m.typed, err = objectOf(v)
	return err
}

// fill reads one member into v. A member of another type than expected (an
// "id" that is no number) leaves its field empty: not known, never zero.
func fill(v any, name string, value json.RawMessage) error {
	key, err := marshal(name)
	if err != nil {
		return err
	}
	one := append(append(append(append([]byte{'{'}, key...), ':'), value...), '}')
	probe := reflect.New(reflect.TypeOf(v).Elem())
	var wrongType *json.UnmarshalTypeError
	switch err := json.Unmarshal(one, probe.Interface()); {
	case errors.As(err, &wrongType):
		return nil
	case err != nil:
		return err
	}
	return json.Unmarshal(one, v)
}

// write prints v's typed members and the rest.
func (m *members) write(v any) ([]byte, error) {
	now, err := objectOf(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	put := func(name string, value json.RawMessage) error {
		key, err := marshal(name)
		if err != nil {
			return err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
		return nil
	}
	for _, name := range m.order {
		value := m.raw[name]
		was, typed := m.typed[name]
		is, still := now[name]
		switch {
		case typed && !still:
			continue // emptied since it was read
		case still && !bytes.Equal(was, is):
			value = is
		}
		if err := put(name, value); err != nil {
			return nil, err
		}
	}
	fields, err := orderOf(v)
	if err != nil {
		return nil, err
	}
	for _, name := range fields {
		if _, old := m.raw[name]; !old && string(now[name]) != "null" {
			if err := put(name, now[name]); err != nil {
				return nil, err
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func objectOf(v any) (map[string]json.RawMessage, error) {
	text, err := marshal(v)
	if err != nil {
		return nil, err
	}
	out := map[string]json.RawMessage{}
	return out, json.Unmarshal(text, &out)
}

// orderOf lists the members a struct prints, in the order of its fields.
func orderOf(v any) ([]string, error) {
	text, err := marshal(v)
	if err != nil {
		return nil, err
	}
	var m members
	err = m.read(text, &struct{}{})
	return m.order, err
}

// marshal is json.Marshal without its escapes for HTML, which ip does not use.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
