package importer

import (
	"path"
	"strings"
)

// folderOf is a host's folder: outputs in it are taken to belong together.
type folderOf struct{ host, dir string }

// named and unnamed outputs of ethtool in one folder.
type ethtools struct {
	devices map[string]map[string]bool // the kinds of output that name a device, by device
	without map[string][]*part         // the outputs that name none, by kind and phase
}

// soleDevices gives outputs of ethtool that name no device the only one that outputs of another kind beside them name.
// Two of one kind may be of two devices: then none is given any.
func soleDevices(files []*file) {
	folders := map[folderOf]*ethtools{}
	for _, f := range files {
		for _, p := range f.parts {
			if p.found == nil || p.found.Namespace != "" || !strings.HasPrefix(p.found.ID, "ethtool") {
				continue
			}
			at := folderOf{key(p.Host), path.Dir(f.path)}
			if folders[at] == nil {
				folders[at] = &ethtools{map[string]map[string]bool{}, map[string][]*part{}}
			}
			folders[at].add(p)
		}
	}
	for _, e := range folders {
		e.complete()
	}
}

func (e *ethtools) add(p *part) {
	device, kind := p.found.Element, p.found.ID
	if device == "" {
		if phase(p.file) < 0 {
			kind += " before"
		}
		e.without[kind] = append(e.without[kind], p)
		return
	}
	if e.devices[device] == nil {
		e.devices[device] = map[string]bool{}
	}
	e.devices[device][kind] = true
}

func (e *ethtools) complete() {
	if len(e.devices) != 1 {
		return
	}
	for _, list := range e.without {
		if len(list) > 1 {
			return
		}
	}
	for device, kinds := range e.devices {
		for _, list := range e.without {
			p := list[0]
			if kinds[p.found.ID] {
				continue
			}
			p.found.Element = device
			p.Warnings = append(p.Warnings, "taken to be of "+device+", the only device that the outputs beside it are about")
		}
	}
}
