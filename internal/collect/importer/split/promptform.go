package split

// Prompts of less usual forms, and those that a page or a list has moved to the right.

import (
	"strings"

	"seaworthy/internal/parse"
)

// ownForms are prompts of forms of their own, which name the host: the prompt, the host, what was typed.
var ownForms = []*parse.Pattern{
	parse.Lazy(`^(\{([A-Za-z][\w.-]*)\}[ \t]*[~/][\w./~-]*[ \t]*[#$>%])[ \t]*(\S.*)$`),               // {lpar1} / # cmd
	parse.Lazy(`^(([A-Za-z][\w-]*):\[[\w.-]+\][ \t]*[~/][\w./~-]*[ \t]*[#$>%])[ \t]*(\S.*)$`),        // lpar1:[root]/> cmd
	parse.Lazy(`^(([A-Za-z][\w-]*)\.(?:root|padmin)[ \t]+[~/][\w./~-]*[ \t]*=?[#$>%])[ \t]*(\S.*)$`), // lpar1.root / => cmd
	parse.Lazy(`^(\[[\w.-]+\\\\?[\w.-]+@([A-Za-z][\w.-]*)[ :][^\]]{1,60}\][#$>%])[ \t]*(\S.*)$`),     // [CORP\user@lpar1 ~]$ cmd
	parse.Lazy(`^([\w.-]+@([A-Za-z][\w.-]*)[ \t]*\[[~/][\w./~-]*\][ \t]*=?[#$>%])[ \t]*(\S.*)$`),     // root@lpar1 [/tmp]> cmd
	parse.Lazy(`^(([A-Za-z][\w-]*)[ \t]+[~/][\w./~-]*[ \t]*=[#$>%])[ \t]*(\S.*)$`),                   // lpar1 / => cmd
	parse.Lazy(`^(([A-Za-z][\w-]*\d[\w-]*):[a-z][\w-]*[ \t]+\d+[>%])[ \t]*(\S.*)$`),                  // lpar1:oracle 8> cmd
	parse.Lazy(`^(<([A-Za-z][\w-]*)>[ \t]*[~/][\w./~-]*[ \t]*[#$>%])[ \t]*(\S.*)$`),                  // <lpar1> / # cmd
	parse.Lazy(`^(\([A-Za-z][\w-]*\)[ \t]*([A-Za-z][\w-]*):[~/][\w./~-]*[ \t]*[#$>%])[ \t]*(\S.*)$`), // (root)lpar1:/ # cmd
}

// ownPrompt takes a line apart that has a prompt of one of those forms, and a command behind it.
func ownPrompt(line string) (head, host, command string) {
	for _, form := range ownForms {
		m := form.FindStringSubmatch(line)
		if m != nil && startsProgram(m[3]) {
			return m[1], m[2], strings.TrimSpace(m[3])
		}
	}
	return "", "", ""
}

// indentedPrompt takes a line apart that has a prompt behind blanks: one with the host's name, or with a whole command line of a
// program whose output is known, as tables of devices have signs there too.
func indentedPrompt(line string) (head, host, command string, ok bool) {
	head, host, command, ok = usualPrompt(strings.TrimLeft(line, " \t"))
	if !ok || command == "" {
		return "", "", "", false
	}
	named := namesHost(head, host) && (startsProgram(command) || strings.Contains(head, "@"))
	signOnly := len(head) == 1 && (commandLine(command) || lonely[command])
	return head, host, command, named || signOnly
}
