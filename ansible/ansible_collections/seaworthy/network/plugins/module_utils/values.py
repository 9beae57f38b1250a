# SPDX-License-Identifier: Apache-2.0

"""What plans and runs say of values: of a host's element, running and for the next boot."""

from __future__ import annotations

import json

from ansible_collections.seaworthy.network.plugins.module_utils.program import printable

PLAN_SCHEMA = 'seaworthy.plan/2'


class PlanError(Exception):
    """A plan that cannot be read."""


def read_plan(text):
    """Return a plan from the text of its file."""
    try:
        plan = json.loads(text)
    except ValueError as error:
        raise PlanError('not a plan: %s' % error) from error
    return check_plan(plan)


def check_plan(plan):
    """Return a plan if this collection reads its format."""
    schema = plan.get('schema') if isinstance(plan, dict) else None
    if schema != PLAN_SCHEMA:
        raise PlanError('has the format %r, and %s is needed: make the plan with a seaworthy that fits this collection' % (schema, PLAN_SCHEMA))
    return plan


def steps_of(plan):
    """Return the steps of a plan, in order, those after the reboots last."""
    steps = list(plan.get('steps') or [])
    later = plan.get('after_reboot')
    if later:
        steps += steps_of(later)
    return steps


def changes_of_plan(steps):
    """Return (host, element, attribute) -> (before, after) of a plan's steps.

    A value that is set for a while and put back, as the mode of an SEA that fails over, is not a change.
    """
    return _merge((step, step.get('changes') or []) for step in steps)


def changes_of_run(run, steps):
    """Return the same of what a run found and set; steps are those of its plan."""
    by_id = {step['id']: step for step in steps}
    pairs = []
    for done in run.get('steps') or []:
        step = by_id.get(done['step'])
        if step is not None and done.get('state') == 'done':
            pairs.append((step, done.get('prior') or []))
    return _merge(pairs)


def waiting_of_run(run, steps):
    """Return the ids of a run's steps whose values the next boot brings into effect."""
    pending = {step['id'] for step in steps if step.get('pending')}
    return [done['step'] for done in run.get('steps') or [] if done['step'] in pending and done.get('state') == 'done']


def _merge(pairs):
    found = {}
    for step, changes in pairs:
        for change in changes:
            key = (step['host'], change.get('element') or step['element'], change['attr'])
            before = found[key][0] if key in found else change['before']
            found[key] = (before, change['after'])
    return {key: pair for key, pair in found.items() if pair[0] != pair[1]}


def settings_of(changes):
    """Return the values that changes end with, as plan --set takes them."""
    out = []
    for (host, element, attr), (_before, after) in changes.items():
        value = after.get('next_boot', after.get('running'))
        if value is not None:
            out.append('%s:%s:%s=%s' % (host, element, attr, value))
    return out


def diff_of(changes):
    """Return changes as Ansible shows them with --diff: one before and after for each host."""
    hosts = {}
    for (host, element, attr), (before, after) in changes.items():
        texts = hosts.setdefault(host, ([], []))
        for text, values in zip(texts, (before, after)):
            text.append('%s %s: %s\n' % (printable(element), printable(attr), _pair(values)))
    return [{'before_header': host, 'after_header': host, 'before': ''.join(before), 'after': ''.join(after)}
            for host, (before, after) in hosts.items()]


def _shown(values, which):
    value = values.get(which)
    if value is None:
        return 'not known'
    return printable(value) or "''"


def listed(changes):
    """Return changes as a list of dictionaries, for a module's result."""
    return [{'host': host, 'element': element, 'attribute': attr, 'before': before, 'after': after}
            for (host, element, attr), (before, after) in changes.items()]


def without_evidence(value):
    """Return what was read of a host without the output lines that show it."""
    if isinstance(value, dict):
        return {key: without_evidence(part) for key, part in value.items() if key != 'from'}
    if isinstance(value, list):
        return [without_evidence(part) for part in value]
    return value


def stale(planned, found):
    """Say how the hosts differ from what a plan was made against, as texts.

    found are the changes that are needed now. Hosts that have none of the planned values left to
    change are past the plan's first phase, and not stale.
    """
    there = [key for key in planned if key not in found]
    texts = []
    for key, (before, _after) in planned.items():
        host, element, attr = key
        where = ('%s %s' % (host, printable(element)), printable(attr))
        if key in found and found[key][0] != before:
            texts.append('%s: %s is %s, the plan was made against %s' % (where + (_pair(found[key][0]), _pair(before))))
        if key in there and len(there) < len(planned):
            texts.append('%s: %s already has the planned value' % where)
    return texts


def _pair(values):
    return 'running %s, next boot %s' % (_shown(values, 'running'), _shown(values, 'next_boot'))
