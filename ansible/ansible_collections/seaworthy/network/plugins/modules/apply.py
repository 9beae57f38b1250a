#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r'''
module: apply
short_description: Apply a plan, verify each step, and roll back on failure
version_added: 0.1.0
author: The seaworthy project (!UNKNOWN)
description:
  - Applies a plan of M(seaworthy.network.plan). Every host is compared with the plan before anything is changed, each value is recorded
    before it is changed and read back after, and everything is rolled back at the first failure.
  - Reports a change only if a running or next-boot value changes. A plan whose values are all in effect changes nothing.
  - In check mode the hosts are read and nothing is changed. A plan that would be refused, because a host has changed since it was made, fails.
  - With C(--diff), returns the running and next-boot values of each host before and after.
options:
  path:
    description: File with the plan.
    type: path
  plan:
    description: The plan itself, as M(seaworthy.network.plan) returns it in RV(seaworthy.network.plan#module:plan).
    type: dict
  confirm_within:
    description:
      - Each host also watches itself, and restores its running and next-boot values unless the change is confirmed within this time,
        such as V(2m). It does so even if the controller, the connection or the host dies.
      - Alone, the module returns while the hosts wait. M(seaworthy.network.confirm) keeps the change, M(seaworthy.network.rollback) takes
        it back at once.
      - The least is V(5s). With O(health_check) or O(auto_confirm) the default is V(2m), or V(10m) if a link goes down.
    type: str
  health_check:
    description:
      - Command with its arguments, run on the controller when the change is made and verified.
      - If it succeeds, the change is confirmed. If it fails or takes longer than O(confirm_within), the change is rolled back and the module fails.
      - It is not run by a shell. It learns the run's id from C(SEAWORTHY_RUN), and has the task's C(environment).
        Pass secrets by that, not as arguments, which other users of the controller see.
    type: list
    elements: str
  auto_confirm:
    description: Confirm once everything is verified over new connections.
    type: bool
    default: false
  done:
    description: Manual steps of the plan that are done, by their name there, such as V(switch-ports).
    type: list
    elements: str
  one_by_one:
    description: Take steps one after the other that could run at the same time.
    type: bool
    default: false
  first:
    description:
      - Change this host before the others. They follow if O(health_check) succeeds, which is needed with it.
    type: str
  step_limit:
    description: Fail a step whose commands take longer than this time, such as V(5m).
    type: str
  require_signed_by:
    description: Refuse a plan that no signer in this file has signed. The file has the format of allowed signers of C(ssh-keygen).
    type: path
  require_rehearsal:
    description: Refuse the plan unless this file of C(seaworthy rehearse) says that it went as planned.
    type: path
  rehearsal_age:
    description: How long ago the rehearsal may have ended, such as V(24h).
    type: str
extends_documentation_fragment:
  - seaworthy.network.program
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
seealso:
  - module: seaworthy.network.plan
  - module: seaworthy.network.confirm
  - module: seaworthy.network.rollback
'''

EXAMPLES = r'''
- name: Plan
  seaworthy.network.plan:
    inventory: "{{ playbook_dir }}/hosts.yaml"
    only: [R001]
  delegate_to: localhost
  run_once: true
  register: planned

- name: Apply, and keep it if the application answers
  seaworthy.network.apply:
    inventory: "{{ playbook_dir }}/hosts.yaml"
    plan: "{{ planned.plan }}"
    confirm_within: 2m
    health_check: [curl, -fsS, 'http://app1/health']
  delegate_to: localhost
  run_once: true

- name: Apply a plan that was approved, and let tasks decide
  seaworthy.network.apply:
    inventory: "{{ playbook_dir }}/hosts.yaml"
    path: /srv/changes/4711/plan.json
    require_signed_by: /srv/changes/signers
    confirm_within: 10m
  delegate_to: localhost
  run_once: true
  register: applied

- name: The application answers
  ansible.builtin.uri:
    url: http://app1/health
  delegate_to: localhost
  run_once: true

- name: Keep the change
  seaworthy.network.confirm:
    run: "{{ applied.run_id }}"
  delegate_to: localhost
  run_once: true
  when: applied.outcome == 'pending'
'''

RETURN = r'''
run_id:
  description: The run, for M(seaworthy.network.confirm) and M(seaworthy.network.rollback). The last run of the plan, if its values are in effect.
  returned: when a run of the plan is known
  type: str
  sample: 20261127-144910-6fdf75
outcome:
  description: >-
    V(applied), V(pending) while the hosts wait for confirmation, V(rolled-back), V(partial) if not all hosts have their earlier values,
    V(unchanged) if there was nothing to change, or V(planned) in check mode.
  returned: always, unless seaworthy refused the plan
  type: str
run:
  description: The run as C(seaworthy status -f json) shows it, with the values that each step found.
  returned: when a run was made
  type: dict
changes:
  description: Values that have changed, or would change in check mode.
  returned: success
  type: list
  elements: dict
  sample:
    - host: lpar1
      element: en0
      attribute: mtu_bypass
      before: {running: 'off', next_boot: 'off'}
      after: {running: 'on', next_boot: 'on'}
digest:
  description: SHA-256 of the plan's content.
  returned: success
  type: str
waits_for_reboot:
  description: Steps whose values the next boot brings into effect.
  returned: when a run was made
  type: list
  elements: str
exit_status:
  description: Exit status of seaworthy. V(4) if the change was rolled back, V(2) if a manual step stopped it before anything was changed.
  returned: when it failed
  type: int
messages:
  description: What seaworthy noted, with the output of the health check.
  returned: when seaworthy was called
  type: list
  elements: str
'''

import json
import os
import shlex

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.seaworthy.network.plugins.module_utils import program, runs, values


class Application:
    """The application of a plan."""

    def __init__(self, module):
        self.module = module
        self.seaworthy = program.Program(module)
        self.path = module.params['path']
        self.plan = self.read()
        self.steps = values.steps_of(self.plan)
        self.planned = values.changes_of_plan(self.steps)

    def read(self):
        """Return the plan. One that is given itself becomes a file for seaworthy."""
        try:
            if self.path is None:
                plan = values.check_plan(self.module.params['plan'])
                self.path = os.path.join(self.module.tmpdir, 'plan.json')
                with open(self.path, 'w', encoding='utf-8') as file:
                    json.dump(plan, file)
                return plan
            with open(self.path, 'rb') as file:
                return values.read_plan(file.read())
        except OSError as error:
            self.module.fail_json(msg='plan %s: %s' % (self.path, error.strerror))
        except values.PlanError as error:
            self.module.fail_json(msg='plan %s: %s' % (self.path or '', error))

    def result(self, outcome, changes, **more):
        """Return what the module returns."""
        result = {'outcome': outcome, 'changed': bool(changes), 'changes': values.listed(changes), 'digest': self.plan['id']}
        result['diff'] = values.diff_of(changes)
        result.update(more)
        return result

    def compare(self):
        """Ask seaworthy what it would have to change now so that the hosts have the planned values; None: they cannot be asked for."""
        settings = values.settings_of(self.planned)
        if not settings or len(settings) < len(self.planned):
            return None
        arguments = []
        for setting in settings:
            arguments += ['--set', setting]
        hosts = list(self.plan['hosts'])
        for needed in (self.plan.get('conditions') or []) + (self.plan.get('known_by') or []):
            if needed['host'] not in hosts:
                hosts.append(needed['host'])
        return self.seaworthy.call('plan', *arguments, names=hosts)

    def in_effect(self, answer):
        """Say whether a comparison found all planned values on the hosts."""
        if answer is None:
            return False
        document = answer.document or {}
        return answer.status == program.DONE and not document.get('steps') and not document.get('refused')

    def unchanged(self):
        """Return the result of a plan whose values are in effect, with its last run."""
        run = runs.last_of_plan(self.seaworthy, self.plan['id'])
        if run is None:
            return self.result('unchanged', {})
        outcome = 'pending' if run['outcome'] == 'pending' else 'unchanged'
        return self.result(outcome, {}, run_id=run['id'], run=run, waits_for_reboot=run.get('waits_for_reboot') or [])

    def predict(self):
        """Return what applying the plan would change."""
        answer = self.compare()
        if answer is None:
            self.module.warn('the plan has steps without values to compare with the hosts')
            return self.result('planned', self.planned)
        if answer.document is None:
            self.seaworthy.fail(answer, 'comparing the hosts with the plan')
        if self.in_effect(answer):
            return self.unchanged()
        for one in answer.document.get('refused') or []:
            self.module.warn('%(host)s:%(element)s:%(attr)s could not be compared with the plan: ' % one['setting'] + one['reason'])
        if answer.document.get('refused'):
            return self.result('planned', self.planned, messages=answer.messages)
        found = values.changes_of_plan(values.steps_of(answer.document))
        stale = values.stale(values.changes_of_plan(self.plan.get('steps') or []), found)
        if stale:
            self.module.fail_json(
                msg='the hosts have changed since the plan was made, so that it would be refused: %s' % '; '.join(stale),
                changed=False, exit_status=program.FAILED, messages=answer.messages)
        return self.result('planned', found, messages=answer.messages)

    def apply(self):
        """Apply the plan, and return the result or fail."""
        params = self.module.params
        arguments = ['--yes'] + program.flags(
            params, confirm_within='--confirm-within', auto_confirm='--auto-confirm', done='--done', one_by_one='--one-by-one', first='--first',
            step_limit='--step-limit', require_signed_by='--require-signed-by', require_rehearsal='--require-rehearsal',
            rehearsal_age='--rehearsal-age')
        if params['health_check']:
            arguments += ['--health-check', ' '.join(shlex.quote(word) for word in params['health_check'])]
        elif params['confirm_within'] and not params['auto_confirm']:
            arguments.append('--no-wait')
        answer = self.seaworthy.call('apply', *arguments, names=[self.path])
        run = answer.document
        if run is None:
            return self.refused(answer)
        changes = values.changes_of_run(run, self.steps)
        result = self.result(run['outcome'], changes, run=run, run_id=run['id'], waits_for_reboot=values.waiting_of_run(run, self.steps))
        if answer.status == program.DONE:
            return dict(result, messages=answer.messages)
        if run['outcome'] == 'rolled-back':
            # The hosts have their earlier values.
            result.update(changed=False, changes=[], diff=[], waits_for_reboot=[])
        else:
            result['changed'] = True
        return self.seaworthy.fail(answer, 'run %s: %s' % (run['id'], run['outcome']), **result)

    def refused(self, answer):
        """Return the result of a plan that was not begun, or fail unless its values are in effect."""
        stale = answer.status == program.FAILED and any('has changed since the plan was made' in line for line in answer.messages)
        if stale and self.in_effect(self.compare()):
            return dict(self.unchanged(), messages=answer.messages)
        return self.seaworthy.fail(answer, 'the plan was not applied')


def main():
    """Run the module."""
    module = AnsibleModule(
        argument_spec=program.argument_spec(
            path={'type': 'path'},
            plan={'type': 'dict'},
            confirm_within={'type': 'str'},
            health_check={'type': 'list', 'elements': 'str'},
            auto_confirm={'type': 'bool', 'default': False},
            done={'type': 'list', 'elements': 'str'},
            one_by_one={'type': 'bool', 'default': False},
            first={'type': 'str'},
            step_limit={'type': 'str'},
            require_signed_by={'type': 'path'},
            require_rehearsal={'type': 'path'},
            rehearsal_age={'type': 'str'},
        ),
        required_one_of=[['path', 'plan']],
        mutually_exclusive=[['path', 'plan'], ['health_check', 'auto_confirm'], ['plan', 'require_signed_by']],
        required_by={'first': ['health_check']},
        supports_check_mode=True,
    )
    if module.params['health_check'] == []:
        module.fail_json(msg='health_check: the command is missing')
    application = Application(module)
    if not application.steps:
        module.exit_json(**application.result('unchanged', {}))
    if module.check_mode:
        module.exit_json(**application.predict())
    module.exit_json(**application.apply())


if __name__ == '__main__':
    main()
