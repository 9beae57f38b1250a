package shim

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"seaworthy/lab/rootfs"
)

// Commands by which an ordinary user is seen and becomes root. To the kernel all
// logins are user 0; the name of the login makes the difference.
const (
	ID   = "id"
	Sudo = "sudo"
)

// id is the machine's but for ordinary users.
func id(args []string) int {
	user := User()
	at := slices.Index(rootfs.Ordinary, user)
	if at < 0 {
		return become(ID, machines(ID), append([]string{ID}, args...), os.Environ())
	}
	uid := fmt.Sprint(rootfs.FirstUID + at)
	asked := strings.ReplaceAll(strings.Join(args, " "), " -", "")
	answers := map[string]string{"": fmt.Sprintf("uid=%s(%s) gid=1(staff)", uid, user),
		"-u": uid, "-un": user, "-nu": user, "-g": "1", "-G": "1", "-gn": "staff", "-ng": "staff", "-Gn": "staff", "-nG": "staff"}
	says, ok := answers[asked]
	if !ok {
		fmt.Fprintln(os.Stderr, "usage: id [-u | -g | -G] [-n]")
		return 2
	}
	fmt.Println(says)
	return 0
}

// become makes another program of this process; it returns if that is not possible.
func become(name, path string, argv, env []string) int {
	err := unix.Exec(path, argv, env)
	fmt.Fprintf(os.Stderr, "%s: %s: %v\n", name, path, err)
	return 1
}

// sudo runs a command as root if the user may without a password, and else asks
// for one, which there is nobody to give.
func sudo(args []string) int {
	ask, list := true, false
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "-n":
			ask = false
		case "-l":
			list = true
		default:
			fmt.Fprintf(os.Stderr, "sudo: %s is not in this lab\n", args[0])
			return 1
		}
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: sudo [-n] [-l] COMMAND [ARGUMENT]...")
		return 1
	}
	user := User()
	allowed := !rootfs.IsOrdinary(user) || user == rootfs.SudoUser || user == rootfs.EntstatUser && filepath.Base(args[0]) == "entstat"
	if !allowed {
		if ask {
			fmt.Fprintln(os.Stderr, "sudo: a terminal is required to read the password; "+
				"either use the -S option to read from standard input or configure an askpass helper")
		}
		fmt.Fprintln(os.Stderr, "sudo: a password is required")
		return 1
	}
	for _, dir := range filepath.SplitList(rootfs.RootPath) {
		path := args[0]
		if !strings.Contains(path, "/") {
			path = filepath.Join(dir, path)
		}
		if _, err := exec.LookPath(path); err != nil {
			continue
		}
		if list {
			fmt.Println(path)
			return 0
		}
		return become(Sudo, path, args, rootEnv("SUDO_USER="+user, "HOME=/root"))
	}
	fmt.Fprintf(os.Stderr, "sudo: %s: command not found\n", args[0])
	return 1
}

// User is who is logged in.
func User() string { return cmp.Or(os.Getenv("LOGNAME"), "root") }

// oemSetupEnv becomes root's shell: it reads commands from its input, or from
// the terminal.
func oemSetupEnv() int {
	b, err := rootfs.ReadBehaviour()
	if err != nil {
		fmt.Fprintf(os.Stderr, "oem_setup_env: %v\n", err)
		return 1
	}
	argv, env := []string{"ksh"}, rootEnv("HOME=/")
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		argv = b.Arguments("ksh", nil, false)
	}
	statuses := map[string]int{"0": 0, "4": 4}
	if status, fixed := statuses[b.OEMStatus]; fixed {
		c := exec.Cmd{Path: rootfs.Ksh, Args: argv, Env: env, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
		_ = c.Run() // this status says nothing of it
		return status
	}
	return become("oem_setup_env", rootfs.Ksh, argv, env)
}

func rootEnv(more ...string) []string {
	env := append(more, "USER=root", "LOGNAME=root", "LOGIN=root", "SHELL=/usr/bin/ksh", "PATH="+rootfs.RootPath)
	for _, v := range os.Environ() {
		if slices.ContainsFunc([]string{"LC_", "LANG=", "TERM=", "PS1="}, func(kept string) bool { return strings.HasPrefix(v, kept) }) {
			env = append(env, v)
		}
	}
	return env
}
