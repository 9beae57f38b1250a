#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r'''
module: confirm
short_description: Keep a change that waits for confirmation
version_added: 0.1.0
author: The seaworthy project (!UNKNOWN)
description:
  - Confirms a run that M(seaworthy.network.apply) left pending, on all its hosts or on none, so that they do not restore the earlier values.
  - A run that was confirmed before stays as it is, and nothing is reported as changed.
  - Fails if the hosts have restored the earlier values, because it is too late or the run was rolled back.
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
- name: Keep the change
  seaworthy.network.confirm:
    run: "{{ applied.run_id }}"
  delegate_to: localhost
  run_once: true

- name: Keep a change that another controller made
  seaworthy.network.confirm:
    run: 20261127-144910-6fdf75
    inventory: /srv/seaworthy/hosts.yaml
    hosts: [vios1, vios2]
  delegate_to: localhost
  run_once: true
'''

RETURN = r'''
run_id:
  description: Full id of the run.
  returned: always
  type: str
  sample: 20261127-144910-6fdf75
outcome:
  description: V(applied) if the change stays, V(rolled-back) if it does not, V(pending) in check mode.
  returned: when the run is known
  type: str
run:
  description: The run as C(seaworthy status -f json) shows it.
  returned: when the run is known
  type: dict
exit_status:
  description: Exit status of seaworthy. V(4) if the hosts have restored the earlier values.
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
    runs.end(module, 'confirm', ended=('applied',))


if __name__ == '__main__':
    main()
