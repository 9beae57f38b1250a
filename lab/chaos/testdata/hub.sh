# A Linux host without systemd, out of namespaces: Debian's programs from the image of a
# guest, with busybox as init, and a cable from here to its first port. Runs as the first
# process of namespaces of its own (mount, network, processes), so that nothing outlives it.
#
#   hub.sh FOLDER IMAGE
#
# Each line "boot" on its input cuts the host's power, if it is up, and starts it; "cut" and
# "join" take the cable out and put it in. Each is answered by a line.
set -e
cd "$1"
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs run /run
mkdir -p image upper/etc/network upper/etc/ssh/sshd_config.d upper/opt work root
mount -o loop,ro,norecovery "$2" image
ln -sf /bin/busybox upper/opt/init
printf '%s\n' '::sysinit:/bin/sh /etc/rc.boot' '::respawn:/usr/sbin/sshd -D' >upper/etc/inittab
printf '%s\n' 'mkdir -p /run/sshd /run/network' "sysctl -q --system --pattern '^net[.]ipv4[.]tcp'" 'ifup -a' >upper/etc/rc.boot
printf '%s\n' 'auto lo' 'iface lo inet loopback' 'auto eth0' 'iface eth0 inet static' ' address 10.0.2.15/24' \
	'auto eth1' 'iface eth1 inet static' ' address 10.10.10.50/24' >upper/etc/network/interfaces
echo 'UsePAM no' >upper/etc/ssh/sshd_config.d/lab.conf
mount -t overlay overlay -o lowerdir=image,upperdir=upper,workdir=work root
ip link set lo up

n=0
power=
boot() {
	if [ "$power" ]; then
		kill -9 "$power"
		wait "$power" 2>/dev/null || :
		ip link del port
		ip netns del "host$n"
	fi
	n=$((n + 1))
	cat /proc/sys/kernel/random/uuid >boot_id
	ip netns add "host$n"
	ip link add port address 02:00:00:00:00:01 type veth peer name eth0 address 02:00:00:00:00:02 netns "host$n"
	ip -n "host$n" link add eth1 address 02:00:00:00:00:03 type veth peer name far address 02:00:00:00:00:04
	ip addr add 10.0.2.2/24 dev port
	ip link set port up
	ip netns exec "host$n" unshare --pid --mount --uts --ipc --fork --kill-child sh -e -c '
		mount -t proc proc root/proc
		mount -t sysfs -o ro sys root/sys
		mount -t tmpfs run root/run
		mount -t tmpfs dev root/dev
		mkdir root/dev/pts
		mount -t devpts -o newinstance,ptmxmode=666 pts root/dev/pts
		ln -s pts/ptmx root/dev/ptmx
		ln -s /proc/self/fd root/dev/fd
		for f in null zero full random urandom; do
			: >root/dev/$f
			mount --bind /dev/$f root/dev/$f
		done
		mount --bind boot_id root/proc/sys/kernel/random/boot_id
		hostname sysv
		exec chroot root /opt/init' >>console 2>&1 &
	power=$!
}
while read -r word; do
	case $word in
	boot) boot ;;
	cut) ip link set port down ;;
	join) ip link set port up ;;
	esac
	echo "$word"
done
