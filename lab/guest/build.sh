#!/bin/bash
# Makes the disk image, kernel and initramfs of a guest from Debian's packages.
# They are fetched and checked by apt; nothing is installed on this machine.
#
#   build.sh FOLDER RELEASE ARCH KERNEL PACKAGES...
#
# FOLDER holds files/, which is laid over the root file system, and id.pub, which may
# log in as root. KERNEL is a package that depends on the kernel's. Runs as root. Where
# the processor is not of ARCH, INTERPRETER names the program that runs its binaries.
set -euo pipefail

# What reads the root file system from a virtio disk.
modules="crc32c_generic crc32c_intel virtio_pci virtio_blk ext4"

# What mmdebstrap calls once the packages are installed below $1.
if [ "${GUEST_HOOK:-}" ]; then
  root=$1
  export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG # that of the guest's architecture
  image=$(apt-cache depends --important "$GUEST_HOOK" | sed -n 's/.*Depends: \(linux-image-[0-9]\S*\)$/\1/p' | head -n 1)
  # Unpacked, not installed: it would make an initramfs of its own, for minutes.
  (cd "$FOLDER" && apt-get download -qq "$image")
  dpkg-deb --fsys-tarfile "$FOLDER"/linux-image-*.deb | tar -C "$root" -x --keep-directory-symlink
  rm "$FOLDER"/linux-image-*.deb
  chroot "$root" /sbin/depmod "$(ls "$root/lib/modules")"
  cp -a "$FOLDER/files/." "$root/"
  chmod 600 "$root"/etc/NetworkManager/system-connections/* 2>/dev/null || true
  if ls "$root"/etc/systemd/network/*.network >/dev/null 2>&1; then chroot "$root" systemctl enable systemd-networkd; fi
  # What changes the host by itself is for who logs in to start.
  for s in tuned bpftune; do chroot "$root" systemctl disable "$s" 2>/dev/null || true; done
  install -D -m 600 "$FOLDER/id.pub" "$root/root/.ssh/authorized_keys"
  ln -sf /dev/null "$root/etc/systemd/system/apt-daily.timer"
  exit
fi

export FOLDER=$1
release=$2 arch=$3 kernel=$4
shift 4
if [ "${INTERPRETER:-}" ]; then
  if mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null; then
    printf ':guest:M::%s:%s:%s:F' '\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x15\x00' \
      '\xff\xff\xff\xff\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\x00' "$INTERPRETER" \
      > /proc/sys/fs/binfmt_misc/register
  elif ! arch-test -n "$arch" >/dev/null; then
    echo "this kernel (before 6.7) cannot run programs of $arch for one build alone: install binfmt-support" >&2
    exit 1
  fi
fi
cd "$FOLDER"
rm -rf root initramfs
GUEST_HOOK=$kernel mmdebstrap --mode=root --format=directory --variant=essential --architectures="$arch" \
  --include="$(IFS=,; echo "$*")" --customize-hook="$(realpath "$0")" \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-exclude=/lib/udev/hwdb.d/*' --dpkgopt='path-exclude=/usr/lib/udev/hwdb.d/*' \
  "$release" root "deb http://deb.debian.org/debian $release main"

cp root/boot/vmlinu[xz]-* kernel
version=$(ls root/lib/modules)
mkdir -p initramfs/{bin,dev,proc,sys,new,"lib/modules/$version"}
cp root/bin/busybox initramfs/bin/
(
  cd "root/lib/modules/$version"
  for m in $modules; do sed -n "s|^\(\S*/$m\.ko\(\.xz\)\?\):|\1|p" modules.dep; done |
    tr ' ' '\n' | sort -u | xargs -r cp --parents -t "$FOLDER/initramfs/lib/modules/$version"
  cp modules.dep "$FOLDER/initramfs/lib/modules/$version"
)
cat > initramfs/init <<EOF
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mount -t proc proc /proc
for m in $modules; do /bin/busybox modprobe \$m 2>/dev/null; done
n=0
until [ -b /dev/vda ] || [ \$n = 100 ]; do /bin/busybox sleep 0.1; n=\$((n+1)); done
/bin/busybox mount -t ext4 /dev/vda /new || exec /bin/busybox poweroff -f
/bin/busybox umount /proc
/bin/busybox mount -o move /dev /new/dev
exec /bin/busybox switch_root /new /sbin/init
EOF
chmod +x initramfs/init
(cd initramfs && find . | cpio -o -H newc --quiet | gzip -1) > initrd
cat root/etc/ssh/ssh_host_ed25519_key.pub > host.pub
rm -f disk
mke2fs -q -t ext4 -d root disk 2G
rm -rf root initramfs
