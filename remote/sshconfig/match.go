package sshconfig

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// execLimit bounds the command of a "Match exec".
const execLimit = 10 * time.Second

// applies says whether a block's directives hold for the host being resolved.
func (r *resolver) applies(ctx context.Context, head line) (bool, error) {
	switch head.key {
	case "":
		return true, nil
	case "host":
		return matchList(head.words, r.alias), nil
	}
	return r.match(ctx, head, head.words)
}

// match evaluates the criteria of a Match line from left to right; they are
// joined by and. A criterion that cannot be evaluated here is an error only if
// those before it hold, so that a Match for other hosts does no harm.
func (r *resolver) match(ctx context.Context, head line, words []string) (bool, error) {
	for len(words) > 0 {
		name := strings.ToLower(words[0])
		words = words[1:]
		name, negated := strings.CutPrefix(name, "!")
		name, arg, joined := strings.Cut(name, "=")
		needsArg := !slices.Contains([]string{"all", "canonical", "final"}, name)
		if needsArg && !joined {
			if len(words) == 0 {
				return false, head.errorf("Match %s needs an argument", name)
			}
			arg, words = words[0], words[1:]
		}
		var ok bool
		switch name {
		case "all":
			ok = true
		case "canonical":
			ok = false // names are never canonicalised here
		case "final":
			r.wantFinal = true
			ok = r.final
		case "host":
			ok = matchList(strings.Split(arg, ","), r.hostName())
		case "originalhost":
			ok = matchList(strings.Split(arg, ","), r.alias)
		case "user":
			ok = matchList(strings.Split(arg, ","), r.userName())
		case "localuser":
			ok = matchList(strings.Split(arg, ","), r.local.user)
		case "tagged":
			ok = matchList(strings.Split(arg, ","), r.first("tag", ""))
		case "sessiontype":
			ok = matchList(strings.Split(arg, ","), "exec")
		case "version", "localnetwork", "command":
			return false, head.errorf("Match %s is not supported here; put the host's settings in a Host block", name)
		case "exec":
			var err error
			if ok, err = r.exec(ctx, arg); err != nil {
				return false, head.errorf("Match exec: %w", err)
			}
		default:
			return false, head.errorf("Match %s is not known", name)
		}
		if ok == negated {
			return false, nil
		}
	}
	return true, nil
}

// exec runs the user's own command, as ssh does; its status is the answer.
func (r *resolver) exec(ctx context.Context, command string) (bool, error) {
	command, err := expand(command, r.tokens())
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, execLimit)
	defer cancel()
	err = exec.CommandContext(ctx, "sh", "-c", command).Run()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return false, err
	}
	return err == nil, nil
}

// matchList is ssh's pattern list: one match is enough, a match of a negated
// pattern overrules all. Names of hosts are compared without case.
func matchList(patterns []string, s string) bool {
	found := false
	for _, p := range patterns {
		p, negated := strings.CutPrefix(strings.TrimSpace(p), "!")
		if p == "" || !glob(strings.ToLower(p), strings.ToLower(s)) {
			continue
		}
		if negated {
			return false
		}
		found = true
	}
	return found
}

// glob matches * (any run) and ? (any one character).
func glob(pattern, s string) bool {
	star, mark := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
