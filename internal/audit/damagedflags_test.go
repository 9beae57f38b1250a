package audit

import (
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
)

// Whatever happens to a list of flags, a flag that cannot be read is unknown:
// no rule takes it for off.
func TestDamagedFlagsAreNotOff(t *testing.T) {
	const ifconfig, entstat = "lpar1 ifconfig-a", "lpar1 entstat-d.ent0"
	tests := []struct {
		name  string
		edits []edit
		never []string // rules that must find nothing on the host
	}{
		{"LARGESEND of another encoding", []edit{{ifconfig, "LARGESEND,CHAIN>\n\tinet 10", "LARG\xe9SEND,CHAIN>\n\tinet 10"}}, []string{"R001", "R002", "R082"}},
		{"LARGESEND with a control character", []edit{{ifconfig, "LARGESEND,CHAIN>\n\tinet 10", "LARGE\x01SEND,CHAIN>\n\tinet 10"}}, []string{"R001", "R002", "R082"}},
		{"UP unreadable", []edit{{ifconfig, "<UP,BROADCAST", "<\xdcP,BROADCAST"}}, []string{"R001", "R002", "R082"}},
		{"CHECKSUM_OFFLOAD unreadable", []edit{{ifconfig, "CHECKSUM_OFFLOAD(ACTIVE)", "CHECK~UM_OFFLOAD(ACTIVE)"}}, []string{"R001", "R002", "R003"}},
		{"the list ends early", []edit{{ifconfig, "LARGESEND,CHAIN>\n\tinet 10", "LARGESE\n\tinet 10"}}, []string{"R001", "R002", "R082"}},
		{"80 columns", []edit{{ifconfig, "LARGESEND,CHAIN>\n\tinet 10", "LARGE\nSEND,CHAIN>\n\tinet 10"}}, []string{"R001", "R002", "R082"}},
		{"the head is no head", []edit{{ifconfig, "en0: flags=", "en0; flags="}}, []string{"R001", "R002", "R071", "R073", "R082"}},
		{"another language", []edit{{ifconfig, "flags=", "indicateurs="}}, []string{"R001", "R002", "R071", "R073", "R082"}},
		{"driver flags", []edit{{entstat, "VIOENT", "VIOENT Platf\xf6rmTSO"}}, []string{"R102"}},
		{"driver flags over 80 columns", []edit{{entstat, "VIOENT", "VIOENT Platfo\nrmTSO"}}, []string{"R102"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := assembled(edited(t, tt.edits))
			// A Linux neighbour makes R102 ask for the driver's flags.
			f.Hosts = append(f.Hosts, &model.Host{Name: "linux1", Platform: model.Linux, MachineID: f.Host("lpar1").MachineID})
			found, err := builtIn(t).Run(t.Context(), f, rule.Options{All: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range found {
				for _, never := range tt.never {
					if x.Rule == never && x.Verdict == finding.Found && x.Element.Host == "lpar1" {
						t.Errorf("%s: got a FINDING %q, want none from what cannot be read; evidence %v", x.ID, x.Title, x.Evidence)
					}
				}
			}
			for _, h := range f.Hosts {
				if h.Name == "vios1" {
					continue
				}
				for name, e := range h.Elements {
					if e.Kind == model.Interface && name != "en0" && len(e.Addrs) > 0 && e.Addrs[0].Addr().String() == "10.10.10.11" {
						t.Errorf("%s has the address of en0", name)
					}
				}
			}
		})
	}
}
