// Package supervisor is the process that is a running lab: the first process
// of the lab's PID namespace, in namespaces of its own for users (unless
// started by root), mounts, network, host name and IPC. Whatever ends it, the
// kernel ends every process of the lab with it and takes back all mounts and
// network namespaces.
//
// It keeps one thread in each node's namespaces; whatever starts on a node is
// forked from that thread, into the node's own PID namespace, whose first process
// shows up as /etc/init. It serves, in the lab's state folder:
//
//	lock           held with flock(2) as long as the lab runs
//	control.sock   info, queries, shutdown
//	n/NODE         SSH of a node
//	ssh_config, known_hosts, id_ed25519, hosts.yaml
//
// and within each node a socket for the served commands (package call).
package supervisor
