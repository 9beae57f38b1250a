#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r'''
module: plan
short_description: Plan a reversible change of network settings
version_added: 0.1.0
author: The seaworthy project (!UNKNOWN)
description:
  - Turns findings, or the values of O(settings), into ordered steps with the exact commands, verification and undo.
  - Changes nothing on the hosts. Give RV(plan), or the file in O(dest), to M(seaworthy.network.apply).
  - Check mode plans as well, and writes no file.
  - Fails if a value of O(settings) or O(jumbo) cannot be planned.
options:
  hosts:
    description:
      - Hosts or groups of O(inventory), names of the SSH configuration, or folders that C(seaworthy collect) wrote.
      - Without it, every host of O(inventory).
      - Name both VIOSes of a pair, since a Shared Ethernet Adapter is interrupted only if its peer can take over.
    type: list
    elements: str
  settings:
    description:
      - Values to plan, instead of what findings call for.
    type: list
    elements: dict
    suboptions:
      host:
        description: Host, as O(hosts) has it.
        type: str
        required: true
      element:
        description: Device or interface, such as V(en0) or V(ent5), or V(no) and V(sysctl) for tunables of the host.
        type: str
        required: true
      attribute:
        description: Attribute, such as V(mtu_bypass).
        type: str
        required: true
      value:
        description:
          - The value wanted. Quote words that YAML takes for booleans, as V('on').
        type: str
        required: true
  only:
    description: Plan only for these findings or rules, such as V(R001) or V(R001/lpar1:en0).
    type: list
    elements: str
  jumbo:
    description: Plan packets of 9000 bytes between these hosts, on both interfaces and on every element of the path.
    type: list
    elements: str
  accept:
    description:
      - Plan although these rules will report findings afterwards. Also V(redundancy), V(pending), V(addresses) or V(cluster).
    type: list
    elements: str
  waive:
    description: YAML files of findings that the site accepts. Nothing is planned for them.
    type: list
    elements: path
  rules:
    description: Folders of the site's own rules.
    type: list
    elements: path
  disable:
    description: Ids of rules to skip.
    type: list
    elements: str
  defects:
    description: YAML file of known defects. Its entries replace those of the program with the same id.
    type: path
  dest:
    description:
      - File for the plan. It is written if the plan differs from the one in it.
    type: path
  sign_with:
    description:
      - SSH key with which to sign the file of O(dest), in a file beside it that ends in C(.sig).
      - The key's passphrase is never asked for. Use an agent for a key that has one.
    type: path
  allow_incomplete:
    description: Succeed with an empty plan although a host could not be read.
    type: bool
    default: false
extends_documentation_fragment:
  - seaworthy.network.program
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
seealso:
  - module: seaworthy.network.apply
'''

EXAMPLES = r'''
- name: Plan what the findings of one rule call for
  seaworthy.network.plan:
    inventory: "{{ playbook_dir }}/hosts.yaml"
    only: [R001]
    dest: "{{ playbook_dir }}/plan.json"
  delegate_to: localhost
  run_once: true
  register: planned

- name: Plan a value
  seaworthy.network.plan:
    inventory: "{{ playbook_dir }}/hosts.yaml"
    hosts: [vios1, vios2]
    settings:
      - {host: vios1, element: ent5, attribute: largesend, value: '1'}
  delegate_to: localhost
  run_once: true
  register: planned
'''

RETURN = r'''
plan:
  description: The plan, in the format of C(seaworthy plan --schema).
  returned: success
  type: dict
digest:
  description: SHA-256 of the plan's content. The same steps give the same digest.
  returned: success
  type: str
  sample: b146ba3c65b51341cdcf936dcd9f5331401c5410462be671016765bf20fd071f
steps:
  description: The steps of the plan in order, those after the reboots last. Empty if there is nothing to change.
  returned: success
  type: list
  elements: dict
  sample:
    - id: lpar1:en0:mtu_bypass
      host: lpar1
      element: en0
      do: [chdev -l en0 -a mtu_bypass=on]
      undo: [chdev -l en0 -a mtu_bypass=off]
      window: now
      outage: none (traffic continues)
changes:
  description: The values that the plan changes, with those before and after.
  returned: success
  type: list
  elements: dict
  sample:
    - host: lpar1
      element: en0
      attribute: mtu_bypass
      before: {running: 'off', next_boot: 'off'}
      after: {running: 'on', next_boot: 'on'}
windows:
  description: When the steps can be made, and what outage they cause.
  returned: success
  type: list
  elements: dict
refused:
  description: What was wanted and is not planned, with the reason.
  returned: when a plan was made
  type: list
  elements: dict
dest:
  description: File of the plan.
  returned: when O(dest) is given
  type: str
exit_status:
  description: Exit status of seaworthy.
  returned: when it failed
  type: int
messages:
  description: What seaworthy noted.
  returned: always
  type: list
  elements: str
'''

import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.seaworthy.network.plugins.module_utils import program, values


def arguments_of(module, file):
    """Return the arguments of seaworthy plan, which writes file."""
    arguments = program.flags(
        module.params, only='--only', jumbo='--jumbo', accept='--accept', waive='--waive', rules='--rules', disable='--disable',
        defects='--defects', sign_with='--sign')
    for setting in module.params['settings'] or []:
        for part in ('host', 'element', 'attribute'):
            if '=' in setting[part] or not setting[part]:
                module.fail_json(msg='settings: %s %r: expected a name' % (part, setting[part]))
        arguments += ['--set', '%(host)s:%(element)s:%(attribute)s=%(value)s' % setting]
    return arguments + ['-o', file]


def digest_in(path):
    """Return the digest of the plan in a file; None if it holds none."""
    try:
        with open(path, 'rb') as file:
            return values.read_plan(file.read()).get('id')
    except (OSError, values.PlanError):
        return None


def keep(module, file):
    """Put a plan that was written to file into dest, if another one is there."""
    dest = module.params['dest']
    changed = digest_in(file) != digest_in(dest)
    signed = module.params['sign_with'] is not None
    if signed and not os.path.exists(dest + '.sig'):
        changed = True
    if changed and not module.check_mode:
        module.atomic_move(file, dest)
        if signed:
            module.atomic_move(file + '.sig', dest + '.sig')
    return changed


def main():
    """Run the module."""
    module = AnsibleModule(
        argument_spec=program.argument_spec(
            hosts={'type': 'list', 'elements': 'str'},
            settings={'type': 'list', 'elements': 'dict', 'options': {
                'host': {'type': 'str', 'required': True},
                'element': {'type': 'str', 'required': True},
                'attribute': {'type': 'str', 'required': True},
                'value': {'type': 'str', 'required': True},
            }},
            only={'type': 'list', 'elements': 'str'},
            jumbo={'type': 'list', 'elements': 'str'},
            accept={'type': 'list', 'elements': 'str'},
            waive={'type': 'list', 'elements': 'path'},
            rules={'type': 'list', 'elements': 'path'},
            disable={'type': 'list', 'elements': 'str'},
            defects={'type': 'path'},
            dest={'type': 'path'},
            sign_with={'type': 'path'},
            allow_incomplete={'type': 'bool', 'default': False},
        ),
        required_one_of=[['hosts', 'inventory']],
        required_by={'sign_with': ['dest']},
        mutually_exclusive=[['settings', 'only', 'jumbo']],
        supports_check_mode=True,
    )
    seaworthy = program.Program(module)
    file = os.path.join(module.tmpdir, 'plan.json')
    answer = seaworthy.call('plan', *arguments_of(module, file), names=module.params['hosts'] or [])
    if answer.document is None:
        seaworthy.fail(answer, 'plan')
    refused = answer.document.get('refused') or []
    incomplete = answer.status == program.INCONCLUSIVE and module.params['allow_incomplete']
    if answer.status not in (program.DONE, program.NO) and not incomplete:
        reasons = ['%(host)s:%(element)s:%(attr)s=%(value)s: ' % one['setting'] + one['reason'] for one in refused]
        seaworthy.fail(answer, '\n'.join(['plan'] + reasons), refused=refused)
    try:
        plan = values.check_plan(answer.document)
    except values.PlanError as error:
        module.fail_json(msg='plan: %s' % error)
    steps = values.steps_of(plan)
    result = {
        'changed': False, 'plan': plan, 'digest': plan['id'], 'steps': steps, 'changes': values.listed(values.changes_of_plan(steps)),
        'windows': plan.get('windows') or [], 'refused': refused, 'messages': answer.messages,
    }
    if module.params['dest']:
        result['dest'] = module.params['dest']
        result['changed'] = keep(module, file)
    module.exit_json(**result)


if __name__ == '__main__':
    main()
