#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r'''
module: rollback
short_description: Restore the values from before a run
version_added: 0.1.0
author: The seaworthy project (!UNKNOWN)
description:
  - Restores the running and the next-boot values that a run found, last step first.
  - A run that was rolled back before stays as it is, and nothing is reported as changed.
  - In check mode only looks at the run.
options:
  run:
    description: Run, as RV(seaworthy.network.apply#module:run_id) of M(seaworthy.network.apply), or V(latest).
    type: str
    required: true
  hosts:
    description: Hosts of the run, if another machine started it. O(inventory) will do as well.
    type: list
    elements: str
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
- name: Apply, look, and take it back if something is wrong
  delegate_to: localhost
  run_once: true
  block:
    - name: Apply
      seaworthy.network.apply:
        path: /srv/changes/4711/plan.json
        confirm_within: 10m
      register: applied

    - name: Look
      ansible.builtin.command:
        argv: [/srv/changes/4711/look]
      changed_when: false

    - name: Keep it
      seaworthy.network.confirm:
        run: "{{ applied.run_id }}"
      when: applied.outcome == 'pending'
  rescue:
    - name: Take it back
      seaworthy.network.rollback:
        run: "{{ applied.run_id }}"
      when: applied.run_id is defined
'''

RETURN = r'''
run_id:
  description: Full id of the run.
  returned: always
  type: str
  sample: 20261127-144910-6fdf75
outcome:
  description: V(rolled-back) if the hosts have their earlier values, V(partial) if not all have.
  returned: when the run is known
  type: str
run:
  description: The run as C(seaworthy status -f json) shows it.
  returned: when the run is known
  type: dict
exit_status:
  description: Exit status of seaworthy.
  returned: when it failed
  type: int
messages:
  description: What seaworthy noted.
  returned: when seaworthy was called
  type: list
  elements: str
'''

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.seaworthy.network.plugins.module_utils import runs


def main():
    """Run the module."""
    module = AnsibleModule(argument_spec=runs.argument_spec(), supports_check_mode=True)
    runs.end(module, 'rollback', ended=(runs.ROLLED_BACK,))


if __name__ == '__main__':
    main()
