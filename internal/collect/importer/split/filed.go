package split

import (
	"context"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// fileLine is the line that tail and head print above each of several files; more and pr print a name between two rulers of
// colons.
var (
	fileLine  = parse.Lazy(`^==> ?(\S[^<>]*?) ?<==$`)
	colonLine = parse.Lazy(`^:{14}$`)
	// pathLine is a line that is nothing but the name of a file, as a loop with echo and cat prints it.
	pathLine = parse.Lazy(`^(?:\./)?[\w.@+%=,-]+(?:/[\w.@+%=,-]+){0,8}$`)
	fileEnd  = parse.Lazy(`\.(?:txt|log|out|lst|cmd|dat|csv|conf|cfg|output|report|before|after)$`)
)

// filed takes apart the files that a program printed one after the other, each below its name. Nil: the text is none.
func filed(ctx context.Context, lines []string, name string) *Cut {
	var marks, bare []mark
	for i, l := range lines {
		b := body(l)
		if isBareFileName(b) {
			bare = append(bare, mark{i, i + 1, Piece{Title: b}})
		}
		if m := fileLine.FindStringSubmatch(b); m != nil && isFileName(m[1]) {
			marks = append(marks, mark{i, i + 1, Piece{Title: m[1]}})
			continue
		}
		if i > 0 && i+1 < len(lines) && colonLine.MatchString(body(lines[i-1])) && colonLine.MatchString(body(lines[i+1])) {
			marks = append(marks, mark{i - 1, i + 2, Piece{Title: b}})
		}
	}
	if len(marks) == 0 && len(bare) > 1 {
		marks = bare
	}
	if len(marks) == 0 || len(marks) > maxPieces {
		return nil
	}
	list := between(lines, marks...)
	return filesOf(ctx, list, name)
}

// filesOf takes apart what each of several files holds that a program printed below or beside its name.
func filesOf(ctx context.Context, files []Piece, name string) *Cut {
	folders := map[string]map[string]bool{} // by the name of a file: two with the same are of two hosts
	for _, p := range files {
		base := path.Base(p.Title)
		if folders[base] == nil {
			folders[base] = map[string]bool{}
		}
		folders[base][path.Dir(p.Title)] = true
	}
	beside := besideHosts(files)
	hosts := hostsOfFiles(files)
	for i := range files {
		file := files[i].Title
		several := len(folders[path.Base(file)]) > 1
		if strings.HasPrefix(file, "/") {
			files[i].Command = "cat " + file
		} else if folder := path.Base(path.Dir(file)); alone.MatchString(folder) && (several || beside || hostLike(folder)) {
			files[i].Host, files[i].HostFrom = folder, "folder in the name of its file"
		} else if host := hosts[path.Base(file)]; host != "" {
			files[i].Host, files[i].HostFrom = host, "name of its file"
		}
	}
	c := &Cut{Form: Headings, Pieces: inner(ctx, files, name)}
	for i := range c.Pieces {
		c.Pieces[i].Sole = false // its own file's name tells of it, not that of the text
	}
	return c
}

// besideHosts reports whether every file is in a folder, and one of several folders bears a name as hosts have.
func besideHosts(files []Piece) bool {
	folders, like := map[string]bool{}, false
	for _, p := range files {
		if p.Title == "" { // what stands before the first
			continue
		}
		folder := path.Base(path.Dir(p.Title))
		if !alone.MatchString(folder) || detect.NamesProgram(folder) {
			return false
		}
		folders[folder] = true
		like = like || hostLike(folder)
	}
	return like && len(folders) > 1
}

// hostsOfFiles are the hosts in the names of files, where these name a command as well: lpar1_entstat_-d_ent0.txt,
// entstat_ent0_lpar1.txt. A word without a number is one only beside others.
func hostsOfFiles(files []Piece) map[string]string {
	hosts, distinct := map[string]string{}, map[string]bool{}
	like := 0
	for _, p := range files {
		base := path.Base(p.Title)
		host := hostInFileName(base)
		if host == "" || hosts[base] != "" {
			continue
		}
		hosts[base] = host
		if hostLike(host) && !distinct[host] {
			like++
		}
		distinct[host] = true
	}
	for base, host := range hosts {
		if !hostLike(host) && (like == 0 || len(hosts) < len(files)) {
			delete(hosts, base)
		}
	}
	return hosts
}

// hostInFileName is what stands before the command in a file's name, or else a host's name behind it. Empty: nothing does.
func hostInFileName(base string) string {
	words := strings.Split(fileEnd.ReplaceAllString(base, ""), "_")
	program := slices.IndexFunc(words, func(w string) bool {
		return detect.ParseCommand(w).ID != "" || detect.NamesProgram(w) && w == strings.ToLower(w)
	})
	if program > 0 {
		host := strings.Join(words[:program], "_")
		if alone.MatchString(host) && !caption[strings.ToLower(host)] {
			return host
		}
		return ""
	}
	last := words[len(words)-1]
	if program == 0 && len(words) > 1 && alone.MatchString(last) && hostLike(last) && !countedWord.MatchString(last) {
		return last
	}
	return ""
}

// isBareFileName reports whether a line is nothing but the name of a file, in a folder or with a command in it.
func isBareFileName(line string) bool {
	if len(line) > longestFramed || !pathLine.MatchString(line) || !fileEnd.MatchString(line) {
		return false
	}
	return strings.Contains(line, "/") || detect.NamesProgram(strings.ReplaceAll(fileEnd.ReplaceAllString(path.Base(line), ""), "_", " "))
}

// grepLine is a line of a file as grep prints it behind the file's name.
var grepLine = parse.Lazy(`^([\w./@~+%=,-]{3,200}):(.*)$`)

// grepped takes apart the files that grep "" printed, each line behind the name of its file. Nil: the text is none.
func grepped(ctx context.Context, lines []string, name string) *Cut {
	var files []Piece
	others := 0
	for i, l := range lines {
		b := body(l)
		m := grepLine.FindStringSubmatch(b)
		if m == nil || strings.HasPrefix(m[1], "/") || !isFileName(m[1]) || !fileEnd.MatchString(m[1]) && !strings.Contains(m[1], "/") {
			if b != "" {
				others++
			}
			continue
		}
		if len(files) == 0 || files[len(files)-1].Title != m[1] {
			files = append(files, Piece{Title: m[1], Line: i + 1})
		}
		p := &files[len(files)-1]
		p.Text = append(p.Text, m[2]+"\n"...)
	}
	if len(files) == 0 || len(files) > maxPieces || others*20 > len(lines) {
		return nil
	}
	return filesOf(ctx, files, name)
}

// isFileName reports whether a name is that of a file, and not of a host.
func isFileName(name string) bool {
	return strings.Contains(name, "/") || fileEnd.MatchString(name) || detect.NamesProgram(path.Base(name))
}
