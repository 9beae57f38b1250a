#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r'''
module: audit
short_description: Find what is wrong with the network settings of hosts
version_added: 0.1.0
author: The seaworthy project (!UNKNOWN)
description:
  - Applies seaworthy's rules to hosts and returns the findings, each with the output lines that prove it.
  - Fails if a finding reaches O(fail_on), so that a play can be a gate.
  - Changes nothing on the hosts. Check mode audits as well.
options:
  hosts:
    description:
      - Hosts or groups of O(inventory), names of the SSH configuration, or folders that C(seaworthy collect) wrote.
      - Without it, every host of O(inventory).
      - Name LPARs together with their VIOSes, since many rules compare the two.
    type: list
    elements: str
  fail_on:
    description:
      - Fail at this severity or above, one of V(critical), V(high), V(medium), V(low), V(info) or V(never).
      - V(new:medium) fails for findings alone that are new since O(since).
    type: str
    default: medium
  only:
    description: Report only these rules or findings, such as V(R001) or V(R001/lpar1:en0).
    type: list
    elements: str
  since:
    description: Folder of earlier snapshots. Counters are then judged by their growth since, and findings marked as new.
    type: path
  path:
    description: Limit the audit to the path between these two hosts or interfaces, such as V(lpar1) and V(lpar2:en0).
    type: list
    elements: str
  waive:
    description: YAML files of findings that the site accepts.
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
  given_facts:
    description: Facts that no command shows, such as V(lpar1:en0 rtt_ms=0.243).
    type: list
    elements: str
  no_ping:
    description: Send no pings between the hosts.
    type: bool
    default: false
  allow_incomplete:
    description:
      - Succeed although a host could not be read, or nothing could be judged.
      - Otherwise such an audit fails, because no finding then does not mean that nothing is wrong.
    type: bool
    default: false
extends_documentation_fragment:
  - seaworthy.network.program
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
'''

EXAMPLES = r'''
- name: Fail if anything is of severity high or critical
  seaworthy.network.audit:
    inventory: "{{ playbook_dir }}/hosts.yaml"
    fail_on: high
  delegate_to: localhost
  run_once: true

- name: Look at the findings of saved hosts
  seaworthy.network.audit:
    hosts: [/var/seaworthy/today]
    since: /var/seaworthy/yesterday
    fail_on: new:medium
    waive: ["{{ playbook_dir }}/waivers.yaml"]
  delegate_to: localhost
  register: audit

- name: Print them
  ansible.builtin.debug:
    msg: "{{ audit.findings | map(attribute='id') }}"
'''

RETURN = r'''
findings:
  description: What is wrong, most severe first, in the format of C(seaworthy audit --schema).
  returned: when the hosts were audited
  type: list
  elements: dict
  sample:
    - id: R001/lpar1:en0
      rule: R001
      title: largesend is off on an AIX client
      severity: high
      element: {host: lpar1, element: en0}
      remedy: [{host: lpar1, element: en0, attr: mtu_bypass, value: 'on'}]
severities:
  description: How many findings have each severity.
  returned: when the hosts were audited
  type: dict
  sample: {critical: 0, high: 2, medium: 0, low: 0}
notes:
  description: What is worth knowing and not wrong.
  returned: when the hosts were audited
  type: list
  elements: dict
groups:
  description: Findings and notes by cause, those of greatest impact first.
  returned: when the hosts were audited
  type: list
  elements: dict
waived:
  description: Findings that the site accepts.
  returned: when the hosts were audited
  type: list
  elements: dict
waivers:
  description: Waivers that do not work, because they have expired or match nothing.
  returned: when the hosts were audited
  type: list
  elements: str
not_assessed:
  description: Rules that lack a fact, and the fact.
  returned: when the hosts were audited
  type: list
  elements: dict
gone:
  description: Findings of the earlier snapshot that are there no more.
  returned: when the hosts were audited
  type: list
  elements: dict
audited:
  description: Hosts that were judged.
  returned: when the hosts were audited
  type: list
  elements: str
failed_hosts:
  description: Hosts that could not be read, or not to their end, with the error.
  returned: when the hosts were audited
  type: list
  elements: dict
passed:
  description: How many checks passed.
  returned: when the hosts were audited
  type: int
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

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.seaworthy.network.plugins.module_utils import program

# What a message names, at most.
NAMED = 5


def result_of(answer):
    """Return what the module returns of an audit."""
    document = answer.document
    result = {key: document[key] for key in ('findings', 'notes', 'groups', 'waived', 'waivers', 'not_assessed', 'gone', 'passed')}
    result['audited'] = document['hosts']
    result['failed_hosts'] = document['failed']
    result['severities'] = {severity: 0 for severity in ('critical', 'high', 'medium', 'low')}
    for finding in document['findings']:
        result['severities'][finding['severity']] += 1
    return result


def described(findings):
    """Name the first findings in a line."""
    texts = ['%s %s: %s' % (finding['severity'], finding['id'], finding['title']) for finding in findings[:NAMED]]
    if len(findings) > NAMED:
        texts.append('and %d more' % (len(findings) - NAMED))
    return program.printable('; '.join(texts))


def main():
    """Run the module."""
    module = AnsibleModule(
        argument_spec=program.argument_spec(
            hosts={'type': 'list', 'elements': 'str'},
            fail_on={'type': 'str', 'default': 'medium'},
            only={'type': 'list', 'elements': 'str'},
            since={'type': 'path'},
            path={'type': 'list', 'elements': 'str'},
            waive={'type': 'list', 'elements': 'path'},
            rules={'type': 'list', 'elements': 'path'},
            disable={'type': 'list', 'elements': 'str'},
            defects={'type': 'path'},
            given_facts={'type': 'list', 'elements': 'str'},
            no_ping={'type': 'bool', 'default': False},
            allow_incomplete={'type': 'bool', 'default': False},
        ),
        required_one_of=[['hosts', 'inventory']],
        supports_check_mode=True,
    )
    path = module.params['path']
    if path is not None and len(path) != 2:
        module.fail_json(msg='path: expected two hosts or interfaces, got %d' % len(path))
    seaworthy = program.Program(module)
    arguments = program.flags(
        module.params, fail_on='--fail-on', only='--only', since='--since', waive='--waive', rules='--rules', disable='--disable',
        defects='--defects', given_facts='--fact', no_ping='--no-ping')
    if path:
        arguments += ['--path', ','.join(path)]
    answer = seaworthy.call('audit', *arguments, names=module.params['hosts'] or [])
    if answer.document is None:
        seaworthy.fail(answer, 'audit')
    result = result_of(answer)
    if answer.status == program.NO:
        module.fail_json(
            msg='audit: findings at or above %s: %s' % (module.params['fail_on'], described(answer.document['findings'])),
            changed=False, exit_status=answer.status, messages=answer.messages, **result)
    incomplete = answer.status == program.INCONCLUSIVE and module.params['allow_incomplete']
    if answer.status != program.DONE and not incomplete:
        seaworthy.fail(answer, 'audit', **result)
    module.exit_json(changed=False, messages=answer.messages, **result)


if __name__ == '__main__':
    main()
