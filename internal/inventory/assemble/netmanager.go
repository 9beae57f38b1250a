package assemble

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/inventory/netmanager"
	"seaworthy/internal/parse/linewise"
)

// persistence finds what sets a device up: the first manager whose evidence holds in the
// files of the boot, and the line that sets the device's MTU there.
func (c *bootConfig) persistence(device string) (*model.Persistence, model.Origin) {
	if why := c.nothing(); why != "" {
		return &model.Persistence{Why: why}, model.Origin{}
	}
	for _, m := range netmanager.All() {
		for i := range m.Evidence {
			if claim, ok := c.claim(&m.Evidence[i], device); ok {
				p := persistenceOf(m, claim)
				return p, c.configuredMTU(m, p, claim)
			}
		}
	}
	return &model.Persistence{}, model.Origin{}
}

func persistenceOf(m *netmanager.Manager, claim netmanager.Claim) *model.Persistence {
	return &model.Persistence{By: m.Name, Name: claim.Name, Label: claim.Fill(m.Label)}
}

// claim looks for evidence in the files.
func (c *bootConfig) claim(e *netmanager.Evidence, device string) (netmanager.Claim, bool) {
	claim := netmanager.Claim{Device: device, Index: c.index[device]}
	for _, pattern := range e.Files {
		for _, file := range c.matching(pattern, claim) {
			lines := c.files[file]
			if e.Section != "" {
				lines = c.sections(e, file)[device]
			}
			if name, ok := e.Holds(lines, device); ok && len(lines) > 0 {
				claim.File, claim.Name = file, name
				if e.Name != "" {
					claim.Name = claim.Fill(e.Name)
				}
				return claim, true
			}
		}
	}
	return claim, false
}

// matching lists the files of a pattern of the table, in the order of their paths.
func (c *bootConfig) matching(pattern string, claim netmanager.Claim) []string {
	if !strings.Contains(pattern, "*") {
		file := claim.Fill(pattern)
		if c.files[file] == nil {
			return nil
		}
		return []string{file}
	}
	folder, base := claim.Fill(path.Dir(pattern)), path.Base(pattern)
	var out []string
	from, _ := slices.BinarySearch(c.paths, folder+"/")
	for _, file := range c.paths[from:] {
		if !strings.HasPrefix(file, folder+"/") {
			break
		}
		if ok, err := path.Match(base, path.Base(file)); err == nil && ok && path.Dir(file) == folder {
			out = append(out, file)
		}
	}
	return out
}

// sections are the lines of devices' sections of a file, by device, their blanks made one.
func (c *bootConfig) sections(e *netmanager.Evidence, file string) map[string][]string {
	if c.parts[file] != nil {
		return c.parts[file]
	}
	parts := map[string][]string{}
	device := ""
	for _, l := range c.files[file] {
		if begun, ok := e.Device(l); ok {
			device = begun
		}
		if device != "" {
			parts[device] = append(parts[device], strings.Join(strings.Fields(l), " "))
		}
	}
	c.parts[file] = parts
	return parts
}

// configuredMTU is the line that sets a device's MTU, of the distribution's own configuration.
// Of a file for several devices the manager's lacks say so.
func (c *bootConfig) configuredMTU(m *netmanager.Manager, p *model.Persistence, claim netmanager.Claim) model.Origin {
	if m.MTU.Key == "" {
		return model.Origin{}
	}
	key, file := claim.Fill(m.MTU.Key), claim.File
	lines := c.files[file]
	if parts := c.parts[file]; parts != nil {
		lines = parts[claim.Device]
	}
	if len(m.MTU.Files) > 0 {
		file, lines = c.inForce(m.MTU.Files, claim)
	}
	if len(m.MTU.OneDevice) > 0 && !slices.ContainsFunc(m.MTU.OneDevice, func(key string) bool { return namesOne(last(lines, key)) }) {
		p.Lacks = map[string]string{"mtu": claim.Name + " is for several devices"}
	}
	if m.MTU.DropIns != "" {
		for _, drop := range c.matching(m.MTU.DropIns, claim) { // a drop-in comes after its file
			if last(c.files[drop], key) != "" {
				file, lines = drop, c.files[drop]
			}
		}
	}
	value := strings.Trim(last(lines, key), `"' `)
	if !whole10(value) {
		return model.Origin{}
	}
	return model.Origin{Command: c.o.Command, Line: c.at[file], Text: file + ": " + key + value}
}

// inForce gives the lines of the first file that is there.
func (c *bootConfig) inForce(files []string, claim netmanager.Claim) (string, []string) {
	for _, f := range files {
		if file := claim.Fill(f); c.files[file] != nil {
			return file, c.files[file]
		}
	}
	return "", nil
}

// namesOne reports whether a match of a configuration file is for one device only.
func namesOne(match string) bool { return match != "" && !strings.ContainsAny(match, "*?[! \t") }

// connections reads NetworkManager's, which win over files where it manages a device.
func (b persistenceFeed) connections(o Output, c *linewise.ConnectionList) {
	for _, x := range c.Connections {
		e := b.host.Elements[x.Device()]
		if e == nil || x.UUID() == "" || e.Persistence != nil && e.Persistence.By == "" {
			continue
		}
		m, claim, ok := claimOf(x)
		if !ok {
			continue
		}
		p := persistenceOf(m, claim)
		p.Own, p.Lacks = map[string]string{}, map[string]string{}
		if files := e.Persistence; files != nil {
			p.Units = files.Units
			maps.Copy(p.Own, files.Own)
		}
		takeProperties(m, p, x, c.Version)
		e.Persistence = p
		b.nextBoot(e, p, model.Origin{})
	}
}

// claimOf finds the manager of an active connection.
func claimOf(x *linewise.Connection) (*netmanager.Manager, netmanager.Claim, bool) {
	claim := netmanager.Claim{Device: x.Device(), Connection: x.ID(), UUID: x.UUID()}
	for _, m := range netmanager.All() {
		for i := range m.Evidence {
			e := &m.Evidence[i]
			name, ok := e.HoldsConnection(x.ID(), x.Device())
			if !ok {
				continue
			}
			claim.Name = name
			if e.Name != "" {
				claim.Name = claim.Fill(e.Name)
			}
			return m, claim, true
		}
	}
	return nil, claim, false
}

// takeProperties takes those of a connection, as attributes have them.
func takeProperties(m *netmanager.Manager, p *model.Persistence, x *linewise.Connection, version string) {
	for attr, property := range m.Properties {
		if !property.Has(version) {
			p.Lacks[attr] = fmt.Sprintf("%s has %s from %s on", m.Name, property.Name, property.Since)
			continue
		}
		delete(p.Own, attr)
		value := x.Properties[property.Name]
		if property.Option != "" {
			value = last(strings.Split(value, ","), property.Option+"=")
		}
		if value != "" && value != "auto" && value != "ignore" && value != "--" && value != property.None {
			p.Own[attr] = value
		}
	}
}
