package task

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/inventory/netmanager"
	"seaworthy/internal/remote/shellword"
)

// bootFile is the file below /etc that holds a value for the next boot, and the command
// lines that write it, read it and put it back.
//
// A line works on three files in the same folder: $f is the file, $n the new text beside
// it, $s a copy of the file as it was. $n is judged by the program that reads the file
// at boot, then renamed to $f. $s stays until the undo renames it back, so that bytes,
// mode and owner return. Links and files that somebody else wrote are never touched.
type bootFile struct {
	path, id string // id tells the copies of one file apart: eth0-mtu
	// A file with one value alone carries a mark, "# seaworthy eth0 mtu ", before the value.
	mark string
	mode string
	// text is the whole file with one value; nil for a file that holds other settings too.
	text func(value string) []string
	// edit is the awk program that puts a value into such a file and takes the old one
	// out; last is the line that it ends with. An empty value: only takes out.
	edit func(value string) (program, last string)
	// show is the awk program that prints the value in the file.
	show string
	// ordered: other files are read with it, the last one in force.
	ordered bool
	// mayCreate: the file need not be there before.
	mayCreate bool
	// dir is the folder to make for the file; empty: it is there.
	dir string

	judge, after, before, gone string
}

// named sets the three files of a line.
func (b bootFile) named() string {
	folder := path.Dir(b.path)
	return fmt.Sprintf("f=%s; n=%s/.seaworthy-%s.new; s=%[2]s/.seaworthy-%[3]s.saved", b.path, folder, b.id)
}

// write is the line after which the file holds the value. If it fails, the file is as it was.
func (b bootFile) write(value string) string {
	steps := []string{b.plain()}
	if b.dir != "" {
		steps = append(steps, fmt.Sprintf(`{ [ -d %s ] || { : >%s && mkdir -m 755 %[1]s; }; }`, b.dir, b.made()))
	}
	steps = append(steps, `rm -f "$n" "$s"`)
	if b.edit != nil {
		steps = append(steps, b.edited(value, `cp -p "$f" "$s" && `))
	} else {
		steps = append(steps, `{ [ ! -e "$f" ] || cp -p "$f" "$s"; }`, b.printCommand(value))
	}
	if b.judge != "" {
		steps = append(steps, strings.ReplaceAll(b.judge, "{file}", `"$n"`))
	}
	steps = append(steps, `mv -f "$n" "$f"`)
	if b.after != "" {
		steps = append(steps, b.after)
	}
	return fmt.Sprintf(`(%s; if %s; then exit 0; fi; rm -f "$n"; exit 1)`, b.named(), strings.Join(steps, " && "))
}

// plain is the condition that the file may be replaced: a plain file with one name, ours if
// it holds one value alone, or none at all where one may be made.
func (b bootFile) plain() string {
	is := `[ -f "$f" ] && [ ! -L "$f" ] && [ -n "$(find "$f" -links 1)" ]`
	why := "is a link, has a second name or is not a plain file"
	if b.mark != "" {
		is += " && grep -q " + shellword.Quote("^"+pattern(b.mark)) + ` "$f"`
		why = "was not written by seaworthy"
	}
	if b.mayCreate {
		is = `{ [ ! -e "$f" ] && [ ! -L "$f" ]; } || { ` + is + `; }`
	}
	return fmt.Sprintf(`{ %s || { echo "$f %s: left alone" >&2; false; }; }`, is, why)
}

// printCommand writes the text of a file with one value beside it.
func (b bootFile) printCommand(value string) string {
	line := `printf '%s\n'`
	for _, l := range b.text(value) {
		line += " " + shellword.Quote(l)
	}
	return line + ` >"$n" && chmod ` + b.mode + ` "$n"`
}

// edited writes the text of a file with other settings beside it. save runs first if the
// file is there.
func (b bootFile) edited(value, save string) string {
	program, last := b.edit(value)
	line := `if [ -e "$f" ]; then i=$f; ` + save + `cp -p "$f" "$n"; else i=/dev/null; : >"$n" && chmod 644 "$n"; fi && awk ` +
		shellword.Quote(program) + ` "$i" >"$n"`
	if last != "" { // not every awk reports a full disk
		line += ` && [ "$(tail -n 1 "$n")" = ` + shellword.Quote(last) + " ]"
	}
	return line
}

// restore is the line that undoes write(value): before it the file held was. A command that
// dies on the way is not taken for an answer: the line fails, and may be run again.
func (b bootFile) restore(value, was string) string {
	switch {
	case b.edit != nil:
		return b.restoreShared(value, was)
	case was == "":
		return b.remove()
	}
	count := "grep -cxF " + shellword.Quote(b.mark+was)
	line := fmt.Sprintf(`(%s; %s || exit; c=0; if [ -f "$s" ]; then c=$(%s "$s"); fi; `, b.named(), b.plain(), count) +
		`case $c in 0) ;; *[!0-9]* | "") exit 1 ;; *) mv -f "$s" "$f" || exit ;; esac; ` +
		fmt.Sprintf(`c=0; if [ -f "$f" ]; then c=$(%s "$f"); fi; `, count) +
		`case $c in 0) ` + b.printCommand(was) + ` && mv -f "$n" "$f" ;; *[!0-9]* | "") false ;; esac`
	if b.after != "" {
		line += " && " + b.after
	}
	return line + " && " + b.clean() + ")"
}

// remove is the line that takes the file away if it is ours.
func (b bootFile) remove() string {
	steps := slices.DeleteFunc([]string{b.before, `rm -f "$f"`, b.gone}, empty)
	return fmt.Sprintf(`(%s; c=0; if [ -f "$f" ] && [ ! -L "$f" ]; then c=$(grep -c %s "$f"); fi; `, b.named(),
		shellword.Quote("^"+pattern(b.mark))) +
		`case $c in 0) ;; *[!0-9]* | "") false ;; *) ` + strings.Join(steps, " && ") + ` ;; esac && ` + b.clean() + `)`
}

// clean takes away what write left beside the file, and the folder that it made.
func (b bootFile) clean() string {
	clean := `rm -f "$n" "$s"`
	if b.dir != "" {
		clean += fmt.Sprintf(` && if [ -e %s ]; then { [ ! -d %s ] || [ -n "$(ls -A %[2]s)" ] || rmdir %[2]s; } && rm -f %[1]s; fi`,
			b.made(), b.dir)
	}
	return clean
}

// restoreShared puts the copy back if the file is still what write made of it. Otherwise
// somebody changed it since: then the value alone is put back.
func (b bootFile) restoreShared(value, was string) string {
	program, _ := b.edit(value)
	awk := "awk " + shellword.Quote(program)
	compare := ` >"$n" || exit 1; cmp -s "$n" "$f"; c=$?; `
	line := `(` + b.named() + `; rm -f "$n"; c=1; if [ -f "$s" ]; then ` + awk + ` "$s"` + compare
	put := b.plain() + ` && rm -f "$n" && ` + b.edited(was, "") + ` && mv -f "$n" "$f"`
	if b.mayCreate { // without a copy there was no file
		line += `elif [ -f "$f" ]; then ` + awk + ` /dev/null` + compare
		put += ` && { [ -s "$f" ] || rm -f "$f"; }`
	}
	return line + `fi; case $c in 0) if [ -f "$s" ]; then mv -f "$s" "$f"; else rm -f "$f"; fi ;; ` +
		`1) if [ -f "$f" ]; then v=$(` + b.read(`"$f"`) + `) || exit 1; else v=; fi; ` +
		`if { [ -f "$f" ] || [ ! -e "$f" ]; } && [ "$v" = ` + shellword.Quote(was) + ` ]; then true; else ` + put + `; fi ;; ` +
		`*) false ;; esac && rm -f "$n" "$s")`
}

// read prints the value in the file of a shared kind.
func (b bootFile) read(file string) string { return "awk " + shellword.Quote(b.show) + " " + file }

// made is the note that the file's folder was made by write.
func (b bootFile) made() string { return path.Dir(b.dir) + "/.seaworthy-" + path.Base(b.dir) + ".made" }

// check prints the value that the next boot will use from the file.
func (b bootFile) check() string {
	switch {
	case b.ordered:
		return inSysctlOrder(b.path, b.show)
	case b.edit != nil:
		return b.read(b.path)
	}
	value := "sed -n " + shellword.Quote("s/^"+pattern(b.mark)+"//p") + " " + b.path
	judges := slices.DeleteFunc([]string{strings.ReplaceAll(b.judge, "{file}", b.path), value}, empty)
	return fmt.Sprintf("[ ! -e %s ] || { %s; }", b.path, strings.Join(judges, " && "))
}

// Formats of files with other settings, besides the default: a file that is ours alone.
const (
	marked     = "marked"
	sysctlFile = "sysctl"
)

// bootFile is the file that a change's manager has for it.
func (w writer) bootFile(c Change) (bootFile, error) {
	at := netmanager.Find(c.Persist.By)
	if at == nil {
		return bootFile{}, fmt.Errorf("network manager %q is not known", c.Persist.By)
	}
	fill, err := w.filler(c, "")
	if err != nil {
		return bootFile{}, err
	}
	b := bootFile{path: fill(at.Path), id: w.element + "-" + c.Attr, mode: at.Mode, mayCreate: at.Format != marked,
		judge: fill(at.Judge), after: fill(at.After), before: fill(at.Before), gone: fill(at.Gone)}
	if at.Format == sysctlFile {
		b.edit, b.show = sysctlEdit(c.Attr)
		b.ordered = true
		return b, nil
	}
	texts := map[string][]string{}
	for _, value := range []string{c.after(), c.before()} {
		fill, err := w.filler(c, value)
		if err != nil {
			return bootFile{}, err
		}
		if texts[value] != nil {
			continue
		}
		for l := range strings.Lines(at.Text) {
			texts[value] = append(texts[value], fill(strings.TrimSuffix(l, "\n")))
		}
	}
	mark := fmt.Sprintf("# seaworthy %s %s ", w.element, c.Attr)
	if at.Format == marked {
		b.edit, b.show = markedEdit(mark, texts)
		return b, nil
	}
	if at.NewFolder {
		b.dir = path.Dir(b.path)
	}
	b.mark = mark
	b.text = func(value string) []string { return texts[value] }
	return b, nil
}

// markedEdit replaces the two lines of ours, the mark and the assignment, at the end of a file
// that is read as a shell does: of several assignments the last is in force. A last line that
// goes on would swallow them. texts are the two lines, by value.
func markedEdit(mark string, texts map[string][]string) (edit func(string) (string, string), show string) {
	match := "/^" + pattern(mark) + "/"
	edit = func(value string) (program, last string) {
		program = "{ l = $0 } skip { skip = 0; next } " + match + " { skip = 1; next } { print }"
		if value == "" {
			return program, ""
		}
		last = texts[value][1]
		return program + fmt.Sprintf(` END { if (l !~ /\\$/) { print "%s"; print "%s" } }`, texts[value][0], last), last
	}
	return edit, match + ` { v = $NF } END { print v }`
}

// sysctlEdit takes every spelling of a name out of a file of sysctls and adds the line of
// ours at its end.
func sysctlEdit(name string) (edit func(string) (string, string), show string) {
	match := sysctlLine(name)
	edit = func(value string) (program, last string) {
		program = match + " { next } { print }"
		if value == "" {
			return program, ""
		}
		last = name + " = " + value
		return program + fmt.Sprintf(` END { print "%s" }`, last), last
	}
	return edit, match + ` { ` + sysctlValue + `; v = $0 } END { print v }`
}

// sysctlLine matches the lines that set a sysctl: net.core.x = 5, net/core/x=5, -net.core.x=5.
func sysctlLine(name string) string {
	return `/^[ \t]*-?[ \t]*` + strings.ReplaceAll(name, ".", `[.\/]`) + `[ \t]*=/`
}

// sysctlValue leaves the value of such a line, as inventory has it.
const sysctlValue = `sub(/^[^=]*=[ \t]*/, ""); gsub(/"/, ""); gsub(/[ \t\r]+/, " "); sub(/ $/, "")`

// inSysctlOrder prints the value in our file, and with it the file that is read later and
// sets it too. Of files with one name the first folder's is read; sysctl.conf is read last
// where systemd does not start the host.
func inSysctlOrder(file, show string) string {
	match, _, _ := strings.Cut(show, " {")
	program := `{ b = FILENAME; sub(/.*\//, "", b) } ` + match + ` && b == "` + path.Base(file) + `" { ` + sysctlValue + `; v = $0 } ` +
		match + ` && b > "` + path.Base(file) + `" { later = FILENAME } ` +
		`END { if (v != "" && later != "") v = v " until " later " is read"; print v }`
	return `{ set --; b=; for f in /etc/sysctl.d/*.conf /run/sysctl.d/*.conf /usr/local/lib/sysctl.d/*.conf /usr/lib/sysctl.d/*.conf ` +
		`/lib/sysctl.d/*.conf; do case " $b " in *" ${f##*/} "*) continue ;; esac; ` +
		`if [ -e "$f" ] || [ -L "$f" ]; then b="$b ${f##*/}"; fi; if [ -f "$f" ]; then set -- "$@" "$f"; fi; done; ` +
		`if [ ! -d /run/systemd/system ] && [ -f /etc/sysctl.conf ]; then set -- "$@" /etc/sysctl.conf; fi; awk ` +
		shellword.Quote(program) + ` "$@" /dev/null; }`
}
