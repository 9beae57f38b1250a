package collect

import (
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/remotetest"
)

// A .profile or .kshrc that prints keeps no host from being known for what it is.
func TestLoginFilesThatPrint(t *testing.T) {
	for _, tc := range []struct {
		user  string
		table table
		want  model.Platform
		login string
	}{
		{"root", aixHost(), model.AIX, "aix"}, {"root", viosHost(), model.VIOS, "vios"},
		{"padmin", padmin(true), model.VIOS, "padmin"}, {"user", linuxHost(), model.Linux, "linux"},
	} {
		f := remotetest.Start(t, map[string]remotetest.Handler{tc.user + "@host": tc.table.Serve})
		f.Server("host").LoginFiles("Authorised use only\nlast login: ")
		id, err := Identify(t.Context(), f.Host("host"), "")
		if err != nil || id.Platform() != tc.want || id.Login() != tc.login {
			t.Errorf("%s: got %s as %s, %v, want %s as %s", tc.user, id.Platform(), id.Login(), err, tc.want, tc.login)
		}
	}
}
