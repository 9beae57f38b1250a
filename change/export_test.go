package change

import "testing"

// Digest is the id that a plan's content has.
func (p *Plan) Digest(t *testing.T) ID {
	t.Helper()
	id, err := p.digest()
	if err != nil {
		t.Fatal(err)
	}
	return id
}
