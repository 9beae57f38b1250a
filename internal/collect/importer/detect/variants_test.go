package detect_test

import (
	"testing"

	"seaworthy/internal/collect/importer/detect"
)

// Forms of outputs that the collections of real ones lack: other options, levels
// and drivers, and what grep leaves. Each is recognised whole.
func TestVariants(t *testing.T) {
	for _, c := range []struct{ want, text string }{
		{"arp -n (Linux)", "Address                  HWtype  HWaddress           Flags Mask            Iface\n10.0.2.2   ether   52:55:0a:00:02:02   C   eth0\n"},
		{"bridge fdb show", "33:33:00:00:00:01 dev eth0 self permanent\n52:54:00:12:34:56 dev vnet0 vlan 1 master br0 permanent\n"},
		{"bridge fdb show", "02:00:00:00:00:01 dst 192.0.2.5 self extern_learn\n00:00:00:00:00:00 dst 192.0.2.5 self permanent\n"},
		{"netstat -an", "tcp        0      0 0.0.0.0:4711     0.0.0.0:*      LISTEN      12/d\ntcp6  50  0 192.0.2.1:443 192.0.2.2:5150 VERBUNDEN\n"},
		{"ip addr", "2: eth0: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group            default qlen 1000\n    link/ether 02:00:00:00:00:01\n"},
		{"brctl show", "bridge name\tbridge id\t\tSTP enabled\tinterfaces\nbr0\t\t8000.525400123456\tno\t\teth0\n"},
		{"cat /proc/interrupts", "\n          CPU0       CPU8\n 17:       3344          1     XICS 655360 Edge      ibmvscsi\nLOC:         12         13   Local timer\n"},
		{"cat /proc/cpuinfo", "cpu\t\t: POWER9, altivec supported\nclock\t\t: 3800.000000MHz\n\ntimebase\t: 512000000\nplatform\t: PowerNV\n"},
		{"cat /proc/net/sockstat", "sockets: used 290\nTCP: inuse 5 orphan 0 tw 0 alloc 8 mem 2\n"},
		{"dmesg", "[Sun Nov 22 10:11:12 2026] ibmveth 30000002 env2: opened\n[  100.000001][   T12] bond0: link up\n"},
		{"entstat -d ent5 | grep State", "Priority: 1  Active: True\n    State: PRIMARY\n    Bridge Mode: All\n    High Availability Mode: Auto\n"},
		{"entstat -d (lines without their heading)", "ent0.out:No Resource Errors: 0\nent1.out:No Resource Errors: 12\n"},
		{"entstat -d (lines without their heading)", "45:No Resource Errors: 0\n112:      Max Allocated           512      791      128       24       24\n"},
		{"entstat -d (lines without their heading)", "Max Collision Errors: 0                       No Resource Errors: 312\n--\nNo mbuf Errors: 0\n"},
		{"entstat -d ent5 | grep State", "    Limbo Packets: 4120\n    State: LIMBO\n    Bridge Mode: None\n    Priority: 1\nLAN State: Operational\n"},
		{"ping", "PING 192.0.2.9: (192.0.2.9): 56 data bytes\n0821-069 ping: sendto: Cannot reach the destination network.\nping: wrote 192.0.2.9 64 chars, ret=-1\n"},
		{"ping", "PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.\nping: sendmsg: Network is unreachable\n"},
		{"ethtool (other)", "Time stamping parameters for eth0:\nCapabilities:\n\thardware-transmit\n"},
		{"ethtool -x", "RX flow hash indirection table for eth0 with 8 RX ring(s):\n    0:      0     1     2     3\n"},
		{"ethtool --json", "[ {\n        \"ifname\": \"eth0\",\n        \"rx-checksumming\": { \"active\": true }\n    } ]\n"},
		{"ip -br", "lo               UNKNOWN        127.0.0.1/8 ::1/128\nbond0.42@bond0   UP\n"},
		{"ip neigh", "10.0.2.2 dev eth0 lladdr 52:55:0a:00:02:02 REACHABLE\n10.0.2.3 dev eth0  FAILED\n"},
		{"ip route", "default via 10.0.2.2 dev eth0 proto dhcp metric 100\n10.0.2.0/24 dev eth0 proto kernel scope link src 10.0.2.15\n"},
		{"iperf", "Connecting to host 10.1.2.4, port 5201\n[  5] local 10.1.2.3 port 40001 connected to 10.1.2.4 port 5201\n"},
		{"lpar_netboot", "# Type\t Location Code\t MAC Address\t Full Path Name\t Ping Result\nent U9119.MMD.0601234-V5-C2-T1 e6a1b2c3d402 /vdevice/l-lan@30000002 successful\n"},
		{"lscpu", "Architecture:            ppc64le\n  Byte Order:            Little Endian\nCPU(s):                  64\n  On-line CPU(s) list:   0-63\n"},
		{"lshwres", "configurable_sys_proc_units=64.0,curr_avail_sys_proc_units=12.4,installed_sys_proc_units=64.0\n"},
		{"lshwres", "name=DefaultPool,shared_proc_pool_id=0,\"lpar_ids=1,2,3\"\n"},
		{"lshwres -r virtualio --rsubtype vswitch", "vswitch=ETHERNET0(Default),switch_mode=VEB,vnetworks=\"VLAN1-ETHERNET0,VLAN17-ETHERNET0\"\n"},
		{"lshwres -F, lssyscfg -F (without --header)", "lpar1,1,2,17,ETHERNET0,none,0,null,6A1234567802\n"},
		{"lshwres -F, lssyscfg -F (without --header)", "vios1a:1:Running:vioserver\nlpar1:5:Not Activated:aixlinux\n"},
		{"lslparutil -r lpar", "time=11/22/2026 10:00:00,event_type=sample,resource_type=sys,configurable_sys_proc_units=64.0\n"},
		{"lsattr -F", "tcp_sendspace:262144\nmtu:9000\n"},
		{"mpstat", "\nSystem configuration: lcpu=4 ent=0.2 mode=Uncapped\n\ncpu    pc   ilcs   vlcs\n  0  0.00 750666 13711321\n"},
		{"mpstat", "\nSystem configuration: lcpu=8 ent=0.5 mode=Uncapped \n\n       Proc0\n       0.14%\ncpu0    cpu1\n 0.10%   0.02%\n"},
		{"netperf", "MIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 10.1.2.4 () port 0 AF_INET : demo\nRecv   Send    Send\n"},
		{"netstat -D", "Source                 Ipkts                Opkts     Idrops     Odrops\n------\nent_dev0   24454125   18334534   0   0\n"},
		{"netstat -I", "    input    (en0)     output           input   (Total)    output\n packets  errs  packets  errs colls  packets  errs  packets  errs colls\n"},
		{"nmcli connection", "NAME                UUID                                  TYPE      DEVICE\n" +
			"bond0   1fb06bd0-0bb0-7ffb-45f1-d6edd65f3e03  bond      bond0\n"},
		{"nmcli", "eth0: connected to eth0\n        \"Intel 82574L\"\n        ethernet (e1000e), hw, mtu 1500\n"},
		{"no -x", "arpqsize,1024,1024,1024,1,32767,numeric,D,\ntcp_sendspace,262144,16384,262144,4096,8E-1,byte,C,sb_max\n"},
		{"no -h", "Help for tunable tcp_sendspace:\nPurpose:\nHow much data is buffered.\nType: Connect\n"},
		{"netstat -s (Linux)", "TcpExt:\n    12 SYN cookies sent\n    7 SYNs to LISTEN sockets dropped\n"},
		{"ip neigh", "192.0.2.8 FAILED\n192.0.2.9 lladdr 02:00:00:00:00:09 STALE\n"},
		{"ip route", "default via 192.0.2.1 dev eth0 proto static\nunreachable 198.51.100.0/24 metric 1024\n"},
		{"ethtool -k", "tcp-segmentation-offload: off\n\ttx-tcp-segmentation: off [fixed]\ngeneric-receive-offload: on\n"},
		{"tuned-adm", "Current active profile: network-latency\n"},
		{"nstat -a", "IpInReceives                    1234567            0.0\nTcpRetransSegs                  3                  0.0\n"},
		{"ovs-appctl", "---- bond0 ----\n  status: active negotiated\n  sys_id: 98:03:9b:61:84:ec\n"},
		{"ovs-vsctl list", "_uuid               : f3d1a3a2-1111-4222-8333-123456789abc\nadmin_state         : up\n"},
		{"route -n (Linux)", "Kernel IP routing table\nDestination     Gateway         Genmask         Flags Metric Ref    Use Iface\n"},
		{"ss", "Total: 173\nTCP:   6 (estab 2, closed 0, orphaned 0, timewait 0)\n"},
		{"ss -ti", "ESTAB 0      0      10.0.0.1:22    10.0.0.2:51234\n\t cubic wscale:7,7 rto:204\n"},
		{"tc -s class", "class htb 1:10 parent 1:1 leaf 10: prio 0 rate 1Gbit ceil 1Gbit burst 1375b cburst 1375b\n Sent 0 bytes 0 pkt\n"},
		{"teamdctl state", "setup:\n  runner: lacp\nports:\n  eth0\n"},
		{"traceroute", "trying to get source for 10.9.9.9\nsource should be 10.1.2.3\ntraceroute to 10.9.9.9 (10.9.9.9) from 10.1.2.3 (10.1.2.3), 30 hops max\noutgoing MTU = 1500\n"},
		{"cat ifcfg-*", "# made by hand\nDEVICE=eth0\nBOOTPROTO=none\nONBOOT=yes\nMTU=9000\n"},
		{"dmesg", " Initializing cgroup subsys cpu\n Linux version 3.10.0-1.el7.ppc64le (builder@host) (gcc version 4.8.5) #1 SMP\n ibmveth: IBM Power Virtual Ethernet Driver\n"},
		{"ethtool", "\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tLink detected: yes\n"},
		{"lspci", "0001:00:00.0 Ethernet controller: Some Company Some Adapter (rev 01)\n\tNUMA node: 1\n"},
		{"lspci", "00:00.0 Host bridge: Some Company Bridge\n00:02.0 Ethernet controller: Some Company Adapter\n03:00.0 Network controller: Some Company Radio\n"},
		{"netperf", "MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 192.0.2.4 () port 0 AF_INET : demo\nLocal /Remote\n"},
		{"netplan status", "     Online state: online\n    DNS Addresses: 127.0.0.53 (stub)\n\n●  1: lo ethernet UNKNOWN/UP (unmanaged)\n"},
		{"networkctl", "             Link File: /usr/lib/systemd/network/99-default.link\n          Network File: /etc/systemd/network/10.network\n                  Type: ether\n"},
		{"nmcli connection show", "connection.id:                          eth0\nconnection.uuid:                        5fb06bd0-0bb0-7ffb-45f1-d6edd65f3e03\nIP4.ADDRESS[1]:                         192.0.2.5/24\n"},
		{"nmcli connection", "Warning: nmcli (1.0.0) and NetworkManager (1.0.6) versions don't match. Use --nocheck to suppress " +
			"the warning.\nNAME  UUID                                  TYPE            DEVICE\n"},
		{"ovs-dpctl show", "system@ovs-system:\n  lookups: hit:1234567 missed:8910 lost:42\n  flows: 120\n"},
		{"ovs-dpctl show", "flow-dump from the main thread:\nrecirc_id(0),in_port(2),eth(src=98:03:9b:61:84:ec), packets:1, bytes:60, used:0.1s, actions:3\n"},
		{"ethtool -m", "\tIdentifier                                : 0x03 (SFP)\n\tReceiver signal average optical power     : 0.0151 mW / -18.21 dBm\n"},
		{"ethtool -m", "\tIdentifier                                : 0x03 (SFP)\n\tVendor name                               : ACME\n"},
		{"cat /proc/net/xfrm_stat", "XfrmInError             \t0\nXfrmInNoStates          \t7\n"},
		{"iptables -L -v -n", "Chain INPUT (policy DROP 12 packets, 720 bytes)\n pkts bytes target     prot opt in     out     source               destination\n  41  2296 DROP       icmp --  *      *       0.0.0.0/0            0.0.0.0/0\n"},
		{"iptables-save -c", "*filter\n:INPUT ACCEPT [12:900]\n[41:2296] -A INPUT -p icmp -j DROP\nCOMMIT\n"},
		{"nft list ruleset", "table inet filter {\n\tchain input {\n\t\tct state invalid counter packets 8 bytes 320 drop\n\t}\n}\n"},
		{"netpmon", "Tue Nov 24 10:00:01 2026\nSystem: AIX 7.2 Node: lpar5 Machine: 00C8D2E44C00\n\n60.003 secs in measured interval\n"},
		{"ovs-appctl", "bond_mode: balance-slb\nbond-hash-basis: 0\nupdelay: 0 ms\n"},
		{"ovs-ofctl", " cookie=0x0, duration=8.528s, table=0, n_packets=0, n_bytes=0, priority=0 actions=NORMAL\n"},
		{"ovs-vsctl show", "Bridge br0\n    Port eth0\n        Interface eth0\n            type: system\n"},
		{"ping", "PATTERN: 0xabcd\nPING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.\n64 bytes from 192.0.2.9: icmp_seq=1 ttl=64 time=0.5 ms\nno answer yet for icmp_seq=2\n\n--- 192.0.2.9 ping statistics ---\n2 packets transmitted, 1 received, 50% packet loss, time 1ms\n"},
		{"qperf", "tcp_bw:\n    bw  =  1.1 GB/sec\ntcp_lat:\n    latency  =  12 us\n"},
		{"sockperf", "sockperf: == version #3.8 ==\nsockperf[CLIENT] send on:\n[ 0] IP = 192.0.2.4       PORT = 12345 # TCP\nsockperf: Test ended\n"},
		{"systool", "Class = \"net\"\n\n  Class Device = \"eth0\"\n"},
		{"tc -s qdisc", "qdisc fq 8001: root refcnt 2 limit 10000p flow_limit 100p\n"},
		{"teamdctl state", "{\n    \"device\": \"team0\",\n    \"hwaddr\": \"02:00:00:00:00:01\",\n    \"runner\": {}\n}\n"},
		{"tracepath", " 1?: [LOCALHOST]                      pmtu 1500\n 1:  gateway                          0.5ms\n     Resume: pmtu 1500\n"},
		{"virsh dumpxml", "<!--\nWARNING: made by libvirt\n-->\n\n<network>\n  <name>default</name>\n  <bridge name='virbr0'/>\n</network>\n"},
		{"virsh list", " Id    Name                           State\n----------------------------------------------------\n 2     web                            running\n"},
		{"vmstat -i", "priority level    type   count module(handler)\n      0    16   hardware     0 i_misc_pwr(1b1c2d0)\n"},
	} {
		f, ok := detect.Text([]byte(c.text), detect.Hint{})
		if !ok {
			t.Errorf("%.60q: not recognised, want %s", c.text, c.want)
		} else if f.Kind != c.want || f.Known && len(f.Report.Unknown) > 0 {
			t.Errorf("%.60q: got %s with %v not understood, want %s with all understood", c.text, f.Kind, f.Report.Unknown, c.want)
		}
	}
	for _, prose := range []string{"Type: Connect\nMode: of operation\n", "a=1,b=2\n", "State: of the art\n", "Ok: yes, no, maybe\n", "Speed: fast\nPort: 22\n",
		"    Coalesce parameters for eth0:\n        rx-usecs: 0\n        rx-frames: 0\n"} {
		if f, ok := detect.Text([]byte(prose), detect.Hint{}); ok {
			t.Errorf("%q: taken for %s", prose, f.Kind)
		}
	}
}
