// Package targets turns what a user types into hosts: a name of the ssh
// configuration, user@host:port, "local", or a name of an inventory file.
//
// An inventory file, usually hosts.yaml:
//
//	ssh_config: ssh_config          # optional, as ssh -F; relative to this file
//	become: {lpar*: sudo}           # how logins become root: a word for all, or by pattern
//	hosts:
//	  lpar1:
//	    address: 10.1.1.11          # else the name is looked up as ssh would
//	    user: root
//	    port: 22
//	    via: gate                   # jump host: a name of this file or of ssh's
//	    platform: aix               # aix, vios, linux or hmc; found out if absent
//	    ssh_config: other_config    # for this host alone
//	    become: sudo                # sudo, su, dzdo, oem_setup_env or none
//	    labels: {site: north}
//	groups:
//	  north: [lpar1]                # a name that stands for these hosts
//
// An Ansible inventory, INI or YAML, is read too: its hosts, groups and the
// variables that say where and as whom to log in.
package targets
