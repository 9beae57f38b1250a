#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r'''
module: facts
short_description: Read the network configuration of AIX, VIOS and Linux hosts
version_added: 0.1.0
author: The seaworthy project (!UNKNOWN)
description:
  - Reads adapters, interfaces, Shared Ethernet Adapters, EtherChannels, tunables, routes and counters of hosts.
  - Changes nothing on the hosts. Check mode reads as well.
options:
  hosts:
    description:
      - Hosts or groups of O(inventory), names of the SSH configuration, or folders that C(seaworthy collect) wrote.
      - Without it, every host of O(inventory).
    type: list
    elements: str
  evidence:
    description:
      - Also return, with each value, the command and the output line that shows it.
    type: bool
    default: false
  allow_incomplete:
    description:
      - Succeed although a host could not be read completely. RV(messages) says what is missing.
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
- name: Read each host of the play
  hosts: aix
  gather_facts: false
  tasks:
    - name: Read the network configuration
      seaworthy.network.facts:
        inventory: "{{ playbook_dir }}/hosts.yaml"
        hosts: ["{{ inventory_hostname }}"]
      delegate_to: localhost

    - name: Large send is on
      ansible.builtin.assert:
        that: seaworthy_hosts[inventory_hostname].elements.en0.attrs.mtu_bypass.running == 'on'

- name: Read saved hosts
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Read what seaworthy collect wrote
      seaworthy.network.facts:
        hosts: [/var/seaworthy/today]
'''

RETURN = r'''
ansible_facts:
  description: What is known of the hosts.
  returned: success
  type: dict
  contains:
    seaworthy_hosts:
      description:
        - Hosts by name. An attribute has RV(ignore:running), RV(ignore:next_boot) and RV(ignore:default). One that is missing is not known.
      type: dict
      sample:
        lpar1:
          name: lpar1
          platform: aix
          level: 7200-05-03-2148
          machine_id: 9119-MHE*21SEA01
          elements:
            en0:
              kind: interface
              up: true
              mac: 32:43:01:01:00:00
              attrs:
                mtu_bypass: {name: mtu_bypass, running: 'on', next_boot: 'on', default: 'off'}
          tunables:
            tcp_sendspace: {name: tcp_sendspace, running: '262144', next_boot: '262144', default: '16384'}
messages:
  description: What seaworthy noted, such as parts that could not be read.
  returned: success
  type: list
  elements: str
'''

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.seaworthy.network.plugins.module_utils import program, values


def main():
    """Run the module."""
    module = AnsibleModule(
        argument_spec=program.argument_spec(
            hosts={'type': 'list', 'elements': 'str'},
            evidence={'type': 'bool', 'default': False},
            allow_incomplete={'type': 'bool', 'default': False},
        ),
        required_one_of=[['hosts', 'inventory']],
        supports_check_mode=True,
    )
    seaworthy = program.Program(module)
    answer = seaworthy.call('show host', names=module.params['hosts'] or [])
    complete = answer.status == program.DONE
    incomplete = answer.status == program.INCONCLUSIVE and module.params['allow_incomplete']
    if answer.document is None or not (complete or incomplete):
        seaworthy.fail(answer, 'reading the hosts')
    hosts = answer.document
    if not module.params['evidence']:
        hosts = values.without_evidence(hosts)
    module.exit_json(
        changed=False, ansible_facts={'seaworthy_hosts': {host['name']: host for host in hosts}}, messages=answer.messages)


if __name__ == '__main__':
    main()
