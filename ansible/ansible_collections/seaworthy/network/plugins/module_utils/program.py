# SPDX-License-Identifier: Apache-2.0

"""Calls the seaworthy program and reads its answers."""

from __future__ import annotations

import json
import os

# Exit statuses, as "Exit status" of seaworthy's guide has them.
DONE = 0
FAILED = 1
NO = 2
INCONCLUSIVE = 3
ROLLED_BACK = 4
USAGE = 64

MEANING = {
    DONE: 'done',
    FAILED: 'seaworthy failed',
    NO: 'the answer is no',
    INCONCLUSIVE: 'inconclusive: not everything could be read or judged',
    ROLLED_BACK: 'rolled back',
    USAGE: 'wrong usage',
}


def meaning(status):
    """Say what an exit status means."""
    return MEANING.get(status, 'ended by signal %d' % -status if status < 0 else 'unknown exit status')


def argument_spec(**options):
    """Return the options of a module, with those that every module has."""
    spec = {
        'program': {'type': 'path', 'default': 'seaworthy'},
        'inventory': {'type': 'path'},
        'ssh_config': {'type': 'path'},
        'become_method': {'type': 'str', 'choices': ['sudo', 'su', 'dzdo', 'oem_setup_env', 'none']},
        'max_auth_failures': {'type': 'int'},
    }
    spec.update(options)
    return spec


# Flags whose values the program splits at commas, unless they are quoted as in CSV.
SPLIT = frozenset(['--accept', '--disable', '--done', '--jumbo', '--only', '--rules', '--waive'])


def flags(params, **names):
    """Return arguments for the options that are set: names maps an option to its flag.

    A list repeats the flag for each of its items. True gives the flag alone.
    """
    args = []
    for option, flag in names.items():
        value = params[option]
        if value is None or value is False:
            continue
        if value is True:
            args.append(flag)
            continue
        for item in value if isinstance(value, list) else [value]:
            args += [flag, _quoted(str(item)) if flag in SPLIT else str(item)]
    return args


def _quoted(item):
    if not any(mark in item for mark in ',"\n'):
        return item
    return '"%s"' % item.replace('"', '""')


def printable(text):
    """Return text from a host so that it can do nothing to a terminal: one line, control characters escaped."""
    return ''.join(mark if mark.isprintable() else mark.encode('unicode_escape').decode() for mark in text)


class Answer:
    """What a call of the program gave."""

    def __init__(self, arguments, status, stdout, stderr):
        self.arguments = arguments
        self.status = status
        self.stdout = stdout
        self.messages = [line for line in stderr.splitlines() if line.strip()]
        self.document = None
        if stdout.strip():
            self.document = json.loads(stdout)

    def reason(self):
        """Return what the program said of a failure, in one text."""
        texts = [line[len('seaworthy: '):] if line.startswith('seaworthy: ') else line for line in self.messages]
        return '\n'.join(printable(text) for text in texts) or meaning(self.status)


class Program:
    """The seaworthy program of a module."""

    def __init__(self, module):
        self.module = module
        name = module.params['program']
        if os.sep in name:
            name = os.path.abspath(name)
        self.path = module.get_bin_path(name, required=True)

    def call(self, command, *arguments, names=()):
        """Run a subcommand and return its Answer.

        Arguments are never seen by a shell, nor expanded. Names stand after "--", so that none is taken for a flag.
        """
        args = [self.path] + command.split() + ['-f', 'json', '--quiet']
        args += flags(self.module.params, inventory='-i', ssh_config='-F', become_method='--become', max_auth_failures='--max-auth-failures')
        args += list(arguments)
        if names:
            args += ['--'] + list(names)
        status, stdout, stderr = self.module.run_command(args, expand_user_and_vars=False)
        try:
            return Answer(args, status, stdout, stderr)
        except ValueError as error:
            self.module.fail_json(
                msg='%s %s: its answer is not JSON (%s): is the program in "program" seaworthy?' % (self.path, command, error),
                exit_status=status, stdout=stdout[:2000], messages=stderr.splitlines())

    def fail(self, answer, what, **result):
        """End the module with what the program said."""
        result.setdefault('changed', False)
        self.module.fail_json(
            msg='%s: %s' % (what, answer.reason()), exit_status=answer.status, meaning=meaning(answer.status),
            messages=answer.messages, **result)
