package printing

import "testing"

func TestLayout(t *testing.T) {
	print := newLayout(`Name: {{.Name}}
{{if .Count}}
Count: {{opt .Count}}
{{end}}
On: {{opt .On "yes" "no"}}
Off: {{opt .Off "yes" "no"}}
{{only .List}}
end
`, nil)
	type value struct {
		Name    string
		Count   *int
		On, Off *bool
		List    []string
	}
	for want, v := range map[string]value{
		"Name: a\nOff: no\nend\n":             {Name: "a", Off: new(false)},
		"Name: b\nCount: 0\nOn: yes\n\nend\n": {Name: "b", Count: new(0), On: new(true), List: []string{}},
	} {
		if got := string(print(v)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
