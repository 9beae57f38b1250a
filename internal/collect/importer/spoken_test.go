package importer

import (
	"fmt"
	"html"
	"strings"
	"testing"
)

// A form is how people or tools put what several hosts printed into one text.
var spokenForms = map[string]func(host, command, text string) string{
	"a chat with dates": func(h, c, s string) string {
		return "27.11.26, 10:11 - Oper: Hier die Ausgaben von " + h + "\n27.11.26, 10:12 - Oper: # " + c + "\n" + s
	},
	"a chat with names": func(h, c, s string) string {
		return "oper — Today at 10:11 AM\non " + h + ":\n```\n# " + c + "\n" + s + "```\n\n"
	},
	"a ticket's notes": func(h, c, s string) string {
		return "2026-11-27 10:11:12 - Oper (Work notes)\nOutput from " + h + "\n[code]<pre># " + c + "\n" + html.EscapeString(s) + "</pre>[/code]\n\n"
	},
	"answers":    func(h, c, s string) string { return "ANSWER (" + h + "):\n\n" + c + "\n" + s + "\n" },
	"bold names": func(h, c, s string) string { return "**" + h + "** (AIX 7.2):\n\n```\n# " + c + "\n" + s + "```\n\n" },
	"nodes with letters": func(h, c, s string) string {
		return "Output of node " + roleOf(h)[:1] + " (" + h + "):\n\n# " + c + "\n" + s + "\n"
	},
	"words of a mail":   func(h, c, s string) string { return "and this is from " + h + ":\n\n# " + c + "\n" + s + "\n" },
	"words of Japanese": func(h, c, s string) string { return h + " サーバの出力です:\n\n# " + c + "\n" + s + "\n" },
	"headings of Org": func(h, c, s string) string {
		return "* " + h + "\n** " + c + "\n#+BEGIN_EXAMPLE\n" + s + "#+END_EXAMPLE\n"
	},
	"a box": func(h, c, s string) string {
		rule := strings.Repeat("#", 40) + "\n"
		return rule + fmt.Sprintf("#%24s%14s#\n", h, "") + rule + "\n# " + c + "\n" + s + "\n"
	},
	"a log's brackets":  func(h, c, s string) string { return "2026-11-27 10:11:12 INFO [" + h + "] exec: " + c + "\n" + s },
	"brackets on lines": func(h, c, s string) string { return marked("["+h+"] ", "$ "+c+"\n"+s) },
	"syslog of times": func(h, c, s string) string {
		return marked("2026-11-27T10:11:12.000001+01:00 "+h+" netcheck[7]: ", "### "+c+"\n"+s)
	},
	"syslog of AIX": func(h, c, s string) string {
		return marked("Nov 27 10:11:12 "+h+" user:notice netcheck: ", "### "+c+"\n"+s)
	},
	"ansible in YAML": func(h, c, s string) string {
		return "TASK [run] ****\nchanged: [" + h + "] => changed=true \n  cmd: " + c + "\n  rc: 0\n  stdout: |-\n" + marked("    ", s)
	},
	"ansible's task": func(h, c, s string) string {
		return "TASK [" + c + "] ****\nok: [" + h + "] => {\n    \"out.stdout\": " + quoted(s) + "\n}\n\n"
	},
	"ansible, items": func(h, c, s string) string {
		return "\x1b[0;32mok: [" + h + "] => (item=" + c + ") => {\x1b[0m\n\x1b[0;32m    \"msg\": " + quoted(s) + "\x1b[0m\n\x1b[0;32m}\x1b[0m\n"
	},
	"ansible, unixy": func(h, c, s string) string { return c + "...\n  " + h + " done | stdout: " + s },
	"salt in YAML": func(h, c, s string) string {
		return "[root@salt ~]# salt -L 'a,b' cmd.run '" + c + "' --out=yaml\n" + h + ": |-\n" + marked("  ", s)
	},
	"a node's own shell": func(h, c, s string) string {
		return "$ oc debug node/" + h + "\nStarting pod/x-debug ...\nsh-5.1# " + c + "\n" + s + "sh-5.1# exit\nexit\n\nRemoving debug pod ...\n"
	},
	"a page of a wiki": func(h, c, s string) string {
		return "<h2>" + h + "</h2><h3>" + c + "</h3><pre>" + html.EscapeString(s) + "</pre>\n"
	},
	"a ticket's comments": func(h, c, s string) string {
		return "We were asked for more. Output of " + h + " as requested, taken on a quiet Sunday without any other load:\n\n# " + c + "\n" + s + "\n"
	},
	"a command on a host":     func(h, c, s string) string { return c + " on " + h + ":\n\n" + s + "\n" },
	"a command with its host": func(h, c, s string) string { return c + " (" + h + ")\n\n" + s + "\n" },
	"a greeting": func(h, c, s string) string {
		return "login as: oper\noper@192.0.2.200's password:\n****\n* Welcome to " + h + " *\n****\n# " + c + "\n" + s + "# exit\n"
	},
	"hostname asked": func(h, c, s string) string { return "# hostname\n" + h + "\n# " + c + "\n" + s },
	"prompts of two lines": func(h, c, s string) string {
		return "[20.11.26 10:12:01] root@" + h + " /tmp\n# " + c + "\n" + s + "\n"
	},
	"a role with its host": func(h, c, s string) string {
		return roleOf(h) + ": " + h + " (AIX 7.2)\n# " + c + "\n" + s + "\n\n"
	},
}

func roleOf(host string) string {
	if host == "lpar7" {
		return "Client"
	}
	return "Server"
}

func quoted(s string) string {
	return `"` + strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`).Replace(s) + `"`
}

// Where words, logs or tools name two hosts in one text, each output is of its own: also of a host whose name has no number.
func TestHostsThatWordsName(t *testing.T) {
	const lsattr = "mtu           %s          Maximum IP Packet Size for This Device     True\n" +
		"mtu_bypass    off           Enable/Disable largesend                   True\nnetaddr       %s    Internet Address                           True\n"
	for name, form := range spokenForms {
		for _, second := range []string{"lpar8", "q7db", "erpdb"} {
			first := form("lpar7", "lsattr -El en0", fmt.Sprintf(lsattr, "1500", "192.0.2.7"))
			text := first + form(second, "lsattr -El en0", fmt.Sprintf(lsattr, "9000", "192.0.2.8"))
			parts, texts, refused := readJoined(t, text)
			if len(refused) > 0 {
				t.Errorf("%s: refused: %v", name, refused)
			}
			seen := map[string]bool{}
			for _, p := range parts {
				if p.found.ID == otherID {
					continue
				}
				want := second
				if strings.Contains(texts[p], "192.0.2.7") {
					want = "lpar7"
				}
				if p.Host != want || p.found.Element != "en0" {
					t.Errorf("%s: %s of %s is of %q (%s), want %s\n%s", name, p.found.Kind, p.found.Element, p.Host, p.HostFrom, want, text)
				}
				seen[want] = true
			}
			if len(seen) != 2 {
				t.Errorf("%s: outputs of %v, want both hosts\n%s", name, seen, text)
			}
		}
	}
}
