package iplink

// The types below read and write themselves through members, so that what is
// not typed survives. A plain twin without methods carries the typed part.

type plainLink Link

// UnmarshalJSON reads the typed members and keeps the rest.
func (v *Link) UnmarshalJSON(text []byte) error {
	var rest members
	if err := rest.read(text, (*plainLink)(v)); err != nil {
		return err
	}
	v.rest = rest
	return nil
}

// MarshalJSON prints the members in the order they were read, new ones last.
func (v *Link) MarshalJSON() ([]byte, error) {
	out := *v
	if out.Flags == nil && out.rest.raw == nil {
		out.Flags = []string{} // ip prints an empty list
	}
	return v.rest.write((*plainLink)(&out))
}

type plainInfo Info

// UnmarshalJSON reads the typed members and keeps the rest.
func (v *Info) UnmarshalJSON(text []byte) error {
	var rest members
	if err := rest.read(text, (*plainInfo)(v)); err != nil {
		return err
	}
	v.rest = rest
	return nil
}

// MarshalJSON prints the members in the order they were read, new ones last.
func (v *Info) MarshalJSON() ([]byte, error) { return v.rest.write((*plainInfo)(v)) }

type plainData Data

// UnmarshalJSON reads the typed members and keeps the rest.
func (v *Data) UnmarshalJSON(text []byte) error {
	var rest members
	if err := rest.read(text, (*plainData)(v)); err != nil {
		return err
	}
	v.rest = rest
	return nil
}

// MarshalJSON prints the members in the order they were read, new ones last.
func (v *Data) MarshalJSON() ([]byte, error) { return v.rest.write((*plainData)(v)) }

type plainAddress Address

// UnmarshalJSON reads the typed members and keeps the rest.
func (v *Address) UnmarshalJSON(text []byte) error {
	var rest members
	if err := rest.read(text, (*plainAddress)(v)); err != nil {
		return err
	}
	v.rest = rest
	return nil
}

// MarshalJSON prints the members in the order they were read, new ones last.
func (v *Address) MarshalJSON() ([]byte, error) { return v.rest.write((*plainAddress)(v)) }

type plainStats Stats

// UnmarshalJSON reads the typed members and keeps the rest.
func (v *Stats) UnmarshalJSON(text []byte) error {
	var rest members
	if err := rest.read(text, (*plainStats)(v)); err != nil {
		return err
	}
	v.rest = rest
	return nil
}

// MarshalJSON prints the members in the order they were read, new ones last.
func (v *Stats) MarshalJSON() ([]byte, error) { return v.rest.write((*plainStats)(v)) }

type plainCounters Counters

// UnmarshalJSON reads the typed members and keeps the rest.
func (v *Counters) UnmarshalJSON(text []byte) error {
	var rest members
	if err := rest.read(text, (*plainCounters)(v)); err != nil {
		return err
	}
	v.rest = rest
	return nil
}

// MarshalJSON prints the members in the order they were read, new ones last.
func (v *Counters) MarshalJSON() ([]byte, error) { return v.rest.write((*plainCounters)(v)) }

type plainRoute Route

// UnmarshalJSON reads the typed members and keeps the rest.
func (v *Route) UnmarshalJSON(text []byte) error {
	var rest members
	if err := rest.read(text, (*plainRoute)(v)); err != nil {
		return err
	}
	v.rest = rest
	return nil
}

// MarshalJSON prints the members in the order they were read, new ones last.
func (v *Route) MarshalJSON() ([]byte, error) {
	out := *v
	if out.Flags == nil && out.rest.raw == nil {
		out.Flags = []string{} // ip prints an empty list
	}
	return v.rest.write((*plainRoute)(&out))
}
