# SPDX-License-Identifier: Apache-2.0

"""Tests of what plans and runs say of values, and of how the program is called."""

from __future__ import annotations

import unittest

from ansible_collections.seaworthy.network.plugins.module_utils import program, values


def both(value):
    """Return a value that runs and that the next boot uses."""
    return {'running': value, 'next_boot': value}


def step(identity, attr, before, after, **more):
    """Return a step of a plan."""
    host, element, _name = identity.split(':')
    return dict({'id': identity, 'host': host, 'element': element, 'changes': [{'attr': attr, 'before': before, 'after': after}]}, **more)


FAILOVER = [
    step('vios1:ent5:failover', 'ha_mode', both('auto'), both('standby')),
    step('vios1:ent5:jumbo_frames', 'jumbo_frames', both('no'), both('yes')),
    step('vios1:ent5:failback', 'ha_mode', both('standby'), both('auto')),
]
JUMBO = ('vios1', 'ent5', 'jumbo_frames')


class ChangesTest(unittest.TestCase):
    """What changes."""

    def test_a_value_that_is_put_back_is_not_a_change(self):
        self.assertEqual(values.changes_of_plan(FAILOVER), {JUMBO: (both('no'), both('yes'))})

    def test_a_manual_step_changes_nothing(self):
        manual = {'id': 'switch-ports', 'host': '', 'element': '', 'changes': None}
        self.assertEqual(values.changes_of_plan([manual]), {})

    def test_the_steps_after_the_reboots_count(self):
        plan = {'steps': FAILOVER[:1], 'after_reboot': {'steps': FAILOVER[1:2], 'after_reboot': {'steps': FAILOVER[2:]}}}
        self.assertEqual([one['id'] for one in values.steps_of(plan)], [one['id'] for one in FAILOVER])
        self.assertEqual(values.steps_of({'steps': None}), [])

    def test_of_a_run_only_what_was_done(self):
        run = {'steps': [
            {'step': 'vios1:ent5:jumbo_frames', 'state': 'done', 'prior': FAILOVER[1]['changes']},
            {'step': 'vios1:ent5:failback', 'state': 'undone', 'prior': FAILOVER[2]['changes']},
        ]}
        self.assertEqual(values.changes_of_run(run, FAILOVER), {JUMBO: (both('no'), both('yes'))})

    def test_what_waits_for_a_reboot(self):
        steps = [step('a:ent0:x', 'x', both('1'), both('2'), pending=True), step('a:ent0:y', 'y', both('1'), both('2'))]
        run = {'steps': [{'step': 'a:ent0:x', 'state': 'done'}, {'step': 'a:ent0:y', 'state': 'done'}]}
        self.assertEqual(values.waiting_of_run(run, steps), ['a:ent0:x'])

    def test_the_next_boot_value_is_what_is_asked_for(self):
        changes = {('a', 'ent0', 'x'): (both('1'), {'running': '1', 'next_boot': '2'}), ('a', 'no', 'y'): ({}, {'running': '3'})}
        self.assertEqual(values.settings_of(changes), ['a:ent0:x=2', 'a:no:y=3'])


class DiffTest(unittest.TestCase):
    """What --diff shows."""

    def test_a_host_has_its_values(self):
        self.assertEqual(values.diff_of(values.changes_of_plan(FAILOVER)), [{
            'before_header': 'vios1', 'after_header': 'vios1',
            'before': 'ent5 jumbo_frames: running no, next boot no\n',
            'after': 'ent5 jumbo_frames: running yes, next boot yes\n',
        }])

    def test_what_is_not_known_is_said(self):
        shown = values.diff_of({('a', 'en0', 'alias4'): ({'running': ''}, {'next_boot': '1'})})[0]
        self.assertEqual(shown['before'], "en0 alias4: running '', next boot not known\n")
        self.assertEqual(shown['after'], 'en0 alias4: running not known, next boot 1\n')

    def test_a_value_cannot_write_lines_or_drive_a_terminal(self):
        shown = values.diff_of({('a', 'en0', 'x'): ({'running': 'on\nen1 x: \x1b[2Jrunning'}, both('2'))})[0]
        self.assertEqual(shown['before'], 'en0 x: running on\\nen1 x: \\x1b[2Jrunning, next boot not known\n')


class StaleTest(unittest.TestCase):
    """Whether apply would refuse a plan."""

    planned = {('a', 'en0', 'x'): (both('1'), both('2')), ('b', 'en0', 'x'): (both('1'), both('2'))}

    def test_as_planned(self):
        self.assertEqual(values.stale(self.planned, self.planned), [])

    def test_past_the_first_phase(self):
        self.assertEqual(values.stale(self.planned, {('a', 'en0', 'y'): (both('1'), both('2'))}), [])

    def test_in_effect_in_part(self):
        found = {('a', 'en0', 'x'): (both('1'), both('2'))}
        self.assertEqual(values.stale(self.planned, found), ['b en0: x already has the planned value'])

    def test_another_value(self):
        found = dict(self.planned)
        found['a', 'en0', 'x'] = ({'running': '7', 'next_boot': '1'}, both('2'))
        self.assertEqual(values.stale(self.planned, found), [
            'a en0: x is running 7, next boot 1, the plan was made against running 1, next boot 1'])


class PlanTest(unittest.TestCase):
    """Plans that cannot be read."""

    def test_no_plan(self):
        for text in ('', 'plan', '[]', '7', '{}', '{"schema": "seaworthy.plan/1"}'):
            with self.subTest(text), self.assertRaises(values.PlanError):
                values.read_plan(text)


class Module:
    """Stands for the module, and keeps the command that it is asked to run."""

    def __init__(self, **params):
        self.params = dict({'program': 'seaworthy', 'inventory': None, 'ssh_config': None, 'become_method': None, 'max_auth_failures': None}, **params)
        self.ran = None

    def get_bin_path(self, name, required):
        """Find every program."""
        return '/usr/bin/' + name if required else None

    def run_command(self, args, expand_user_and_vars):
        """Run nothing."""
        self.ran = (args, expand_user_and_vars)
        return 0, '[]', 'seaworthy: one\x1b[2J\n\nanother\n'


class ProgramTest(unittest.TestCase):
    """How the program is called."""

    def test_names_are_not_flags_and_nothing_is_expanded(self):
        module = Module(inventory='lab:x', max_auth_failures=0)
        answer = program.Program(module).call('show host', '--flag', names=['--help', '$HOME'])
        self.assertEqual(module.ran, ([
            '/usr/bin/seaworthy', 'show', 'host', '-f', 'json', '--quiet', '-i', 'lab:x', '--max-auth-failures', '0', '--flag', '--', '--help', '$HOME',
        ], False))
        self.assertEqual(answer.document, [])
        self.assertEqual(answer.reason(), 'one\\x1b[2J\nanother')

    def test_flags(self):
        params = {'one': True, 'two': False, 'three': None, 'only': ['R001', 'a,"b'], 'facts': ['x y=1,2']}
        self.assertEqual(
            program.flags(params, one='--one', two='--two', three='--three', only='--only', facts='--fact'),
            ['--one', '--only', 'R001', '--only', '"a,""b"', '--fact', 'x y=1,2'])

    def test_exit_statuses(self):
        self.assertEqual(program.meaning(4), 'rolled back')
        self.assertEqual(program.meaning(-9), 'ended by signal 9')
        self.assertEqual(program.meaning(77), 'unknown exit status')


if __name__ == '__main__':
    unittest.main()
