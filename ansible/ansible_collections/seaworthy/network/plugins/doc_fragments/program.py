# SPDX-License-Identifier: Apache-2.0

"""The options that every module of the collection has."""

from __future__ import annotations


class ModuleDocFragment:
    """Documents how the modules call the program."""

    DOCUMENTATION = r'''
requirements:
  - The C(seaworthy) program on the controller.
options:
  program:
    description:
      - The seaworthy program on the controller, as a path or as a name that C(PATH) has.
    type: path
    default: seaworthy
  inventory:
    description:
      - File in which seaworthy looks up hosts, C(hosts.yaml) or an Ansible inventory in INI, YAML or JSON.
      - V(lab) or V(lab:NAME) names a running lab of seaworthy.
      - Without it hosts are looked up as C(ssh) would.
      - Give absolute paths, such as V({{ playbook_dir }}/hosts.yaml).
    type: path
  ssh_config:
    description:
      - SSH configuration file instead of C(~/.ssh/config) and C(/etc/ssh/ssh_config).
    type: path
  become_method:
    description:
      - How logins become root, for every host. By default as the inventory says.
      - This is seaworthy's own way to root on the hosts. Leave Ansible's C(become) off, the module needs no root on the controller.
    type: str
    choices: [sudo, su, dzdo, oem_setup_env, none]
  max_auth_failures:
    description:
      - Stop after this number of refused logins of one user in a row, before an account is locked. V(0) never stops.
      - By default as seaworthy does, V(5).
    type: int
notes:
  - Runs on the controller. Use it with C(delegate_to=localhost) or in a play with C(connection=local).
  - Needs no Python on the hosts. Seaworthy logs in with the OpenSSH client's configuration and runs the platform's own commands.
attributes:
  check_mode:
    description: Can run in check mode and predict changes without making them.
  diff_mode:
    description: Returns what has changed, or would change, in diff mode.
  platform:
    description: Platforms of the hosts that are read or changed.
    platforms: aix, vios, linux
    support: full
'''
