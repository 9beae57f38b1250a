# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r'''
name: inventory
short_description: Hosts of seaworthy's hosts.yaml
version_added: 0.1.0
author: The seaworthy project (!UNKNOWN)
description:
  - Reads the inventory file of seaworthy, so that hosts are written down once.
  - Its configuration is a file whose name ends in C(seaworthy.yaml) or C(seaworthy.yml).
  - If the plugin is enabled before V(yaml) in C(enable_plugins), it also reads a C(hosts.yaml) itself.
  - Hosts get C(ansible_host), C(ansible_user) and C(ansible_port) as far as the file has them, and C(ansible_ssh_common_args) for jump hosts
    and SSH configurations.
  - They also get C(seaworthy_inventory) with the path of the file, C(seaworthy_platform) and C(seaworthy_labels).
  - How a login becomes root is left to seaworthy.
requirements:
  - The C(seaworthy) program on the controller, which checks the file.
options:
  plugin:
    description: Name of this plugin.
    type: str
    required: true
    choices: [seaworthy.network.inventory]
  hosts_file:
    description:
      - The C(hosts.yaml), relative to the configuration. V(lab:NAME) names a running lab.
    type: str
    default: hosts.yaml
  program:
    description: The seaworthy program, as a path or as a name that C(PATH) has.
    type: str
    default: seaworthy
    env:
      - name: SEAWORTHY_PROGRAM
extends_documentation_fragment:
  - constructed
'''

EXAMPLES = r'''
# seaworthy.yaml, beside hosts.yaml
plugin: seaworthy.network.inventory
hosts_file: hosts.yaml
keyed_groups:
  # groups aix, vios and linux
  - key: seaworthy_platform
    prefix: ''
    separator: ''
  # groups site_bonn and so on
  - key: seaworthy_labels.site
    prefix: site
'''

import json
import os
import shlex
import shutil
import subprocess

from ansible.errors import AnsibleParserError
from ansible.module_utils.common.text.converters import to_text
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable

try:
    from ansible.utils.unsafe_proxy import wrap_var
except ImportError:
    def wrap_var(value):
        """Return a value. A core without this function takes no value of an inventory for a template."""
        return value

# What a hosts.yaml may have at its top.
TOP = frozenset(['ssh_config', 'become', 'hosts', 'groups'])


class InventoryModule(BaseInventoryPlugin, Constructable):
    """Reads the hosts that seaworthy reads."""

    NAME = 'seaworthy.network.inventory'

    def verify_file(self, path):
        """Say whether a file may be a configuration of this plugin, or a hosts.yaml."""
        return super().verify_file(path) and path.endswith(('.yaml', '.yml'))

    def parse(self, inventory, loader, path, cache=True):
        """Add the hosts of a configuration or a hosts.yaml to the inventory."""
        super().parse(inventory, loader, path, cache)
        content = loader.load_from_file(path)
        if isinstance(content, dict) and 'plugin' in content:
            self._read_config_data(path)
            file = self.get_option('hosts_file')
            if not _is_lab(file):
                file = os.path.join(os.path.dirname(os.path.abspath(path)), os.path.expanduser(file))
        elif isinstance(content, dict) and 'hosts' in content and TOP.issuperset(content):
            self.set_options(direct={'plugin': self.NAME, 'hosts_file': path})
            file = os.path.abspath(path)
        else:
            raise AnsibleParserError('%s: neither a configuration of %s nor a hosts.yaml' % (path, self.NAME))
        extra = {} if _is_lab(file) else loader.load_from_file(file)
        self._add(file, self._listed(file), extra if TOP.issuperset(extra) else {})

    def _listed(self, file):
        """Return the hosts as the program lists them."""
        name = self.get_option('program')
        program = shutil.which(name)
        if program is None:
            raise AnsibleParserError('%s: no such program: set program, or SEAWORTHY_PROGRAM' % name)
        try:
            done = subprocess.run([program, 'inventory', '-f', 'json', '--quiet', '-i', file], capture_output=True, check=False, stdin=subprocess.DEVNULL)
        except OSError as error:
            raise AnsibleParserError('%s: %s' % (program, error)) from error
        if done.returncode != 0:
            raise AnsibleParserError(to_text(done.stderr).strip())
        try:
            return json.loads(done.stdout)
        except ValueError as error:
            raise AnsibleParserError('%s inventory: its answer is not JSON (%s): is it seaworthy?' % (program, error)) from error

    def _add(self, file, hosts, extra):
        """Add hosts; extra is the file itself, for what the program does not list."""
        by_name = {host['host']: host for host in hosts}
        written = extra.get('hosts') or {}
        for host in hosts:
            name = host['host']
            self.inventory.add_host(name)
            more = written.get(name) or {}
            variables = {
                'ansible_host': host.get('address'),
                'ansible_user': host.get('user'),
                'ansible_port': host.get('port'),
                'ansible_ssh_common_args': ssh_arguments(host, by_name, file, more.get('ssh_config') or extra.get('ssh_config')),
                'seaworthy_inventory': file,
                'seaworthy_platform': host.get('platform'),
                'seaworthy_labels': more.get('labels'),
            }
            for variable, value in variables.items():
                if value:
                    self.inventory.set_variable(name, variable, as_data(value))
            for group in host['groups']:
                self.inventory.add_child(self.inventory.add_group(self._sanitize_group_name(group)), name)
            self._construct(name)

    def _construct(self, name):
        variables = self.inventory.get_host(name).get_vars()
        strict = self.get_option('strict')
        self._set_composite_vars(self.get_option('compose'), variables, name, strict=strict)
        self._add_host_to_composed_groups(self.get_option('groups'), variables, name, strict=strict)
        self._add_host_to_keyed_groups(self.get_option('keyed_groups'), variables, name, strict=strict)


def as_data(value):
    """Return a value that Ansible does not take for a template."""
    if isinstance(value, dict):
        return {key: as_data(part) for key, part in value.items()}
    return wrap_var(value) if isinstance(value, str) and '{' in value else value


def _is_lab(file):
    return file == 'lab' or file.startswith('lab:')


def ssh_arguments(host, by_name, file, ssh_config):
    """Return what ssh needs for jump hosts and an SSH configuration of its own."""
    arguments = []
    if ssh_config:
        path = os.path.expanduser(ssh_config)
        arguments += ['-F', os.path.join(os.path.dirname(file), path)]
    jumps = []
    via = host.get('via')
    while via and len(jumps) <= len(by_name):
        jump = by_name.get(via, {})
        jumps.insert(0, jump_of(via, jump))
        via = jump.get('via')
    if jumps:
        arguments += ['-o', 'ProxyJump=' + ','.join(jumps)]
    return ' '.join(shlex.quote(argument) for argument in arguments)


def jump_of(name, host):
    """Return a jump host as ssh takes it: user@address:port."""
    text = host.get('address') or name
    if ':' in text:
        text = '[%s]' % text
    if host.get('user'):
        text = '%s@%s' % (host['user'], text)
    if host.get('port'):
        text = '%s:%d' % (text, host['port'])
    return text
