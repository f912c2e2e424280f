#!/bin/bash
# The root of the systemd guest: a small Debian, the package installed into it as a person would, and the simulated hardware.
# usage: systemd-root.sh PACKAGE.deb AGENT KERNEL-FOLDER FOLDER
set -euo pipefail
package=$(readlink -f "$1") agent=$(readlink -f "$2") kernel=$(readlink -f "$3") out=$4 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"; root=$out/root
[ -e "$out/debian.tar" ] || {
    mmdebstrap --quiet --variant=minbase \
        --include=systemd,systemd-sysv,udev,dbus,kmod,e2fsprogs,procps,login,passwd,polkitd,libpam-systemd,systemd-timesyncd,curl \
        bookworm "$out/debian.part.tar"
    mv "$out/debian.part.tar" "$out/debian.tar"
}
rm -rf "$root"; mkdir "$root"; tar -C "$root" -xf "$out/debian.tar"
mkdir -p "$root/lib/modules"; cp -r "$kernel"/tree/modules/* "$root/lib/modules/"
abi=$(ls "$root/lib/modules"); depmod -b "$root" "$abi"
cp "$package" "$root/opt/holecard.deb"
mount -t proc proc "$root/proc"; trap 'umount "$root/proc"' EXIT
chroot "$root" dpkg -i /opt/holecard.deb
umount "$root/proc"; trap - EXIT
# The simulated board, up before the daemon as a real one is, and the test's hand inside.
install -m 755 "$here/header.sh" "$root/usr/local/sbin/board-header"; install -m 755 "$agent" "$root/usr/local/sbin/board-agent"
cat > "$root/etc/systemd/system/board-header.service" <<'X'
[Unit]
Description=Simulated header
DefaultDependencies=no
After=systemd-modules-load.service sys-kernel-config.mount local-fs.target
Requires=sys-kernel-config.mount
Before=systemd-udev-trigger.service holecardd.service sysinit.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/sbin/board-header
[Install]
WantedBy=sysinit.target
X
cat > "$root/etc/systemd/system/board-agent.service" <<'X'
[Unit]
Description=The test's hand inside
[Service]
ExecStartPre=/bin/sh -c 'ln -sf "/dev/$(ls /sys/class/virtio-ports | head -n 1)" /dev/agent'
ExecStart=/usr/local/sbin/board-agent
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
X
printf 'i2c-dev\nftdi_sio\nvirtio_console\n' > "$root/etc/modules-load.d/board.conf"
systemctl --root="$root" enable --quiet board-header.service board-agent.service
systemctl --root="$root" mask --quiet getty@tty1.service systemd-networkd-wait-online.service apt-daily.timer apt-daily-upgrade.timer \
    dpkg-db-backup.timer e2scrub_all.timer fstrim.timer e2scrub_reap.service systemd-binfmt.service man-db.timer
printf '/dev/vdc / ext4 defaults,noatime 0 1\n/dev/vda /var/lib/holecard ext4 defaults,noatime 0 2\n' > "$root/etc/fstab"
mkdir -p "$root/var/lib/holecard" "$root/var/log/journal"; echo board > "$root/etc/hostname"
rm -f "$out/root.img"; mke2fs -q -t ext4 -d "$root" "$out/root.img" 900M
rm -rf "$root"
# Enough to find the root.
first=$out/first; rm -rf "$first"; mkdir -p "$first"/{bin,dev,proc,sys,modules,new}; cp "$kernel/busybox" "$first/bin/busybox"
for name in virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk crc32c_generic libcrc32c crc16 mbcache jbd2 ext4; do
    cp "$kernel"/modules/*-$name.ko "$first/modules/" 2>/dev/null || true
done
cat > "$first/init" <<'X'
#!/bin/busybox sh
b=/bin/busybox; $b mount -t devtmpfs dev /dev; $b mount -t proc proc /proc; $b mount -t sysfs sys /sys
for module in /modules/*.ko; do $b insmod $module; done
tries=0; while [ ! -b /dev/vdc ] && [ $tries -lt 100 ]; do $b usleep 50000; tries=$((tries + 1)); done
$b mount -t ext4 /dev/vdc /new || exec $b sh
$b umount /proc; $b umount /sys; $b mount --move /dev /new/dev
exec $b switch_root /new /sbin/init
X
chmod +x "$first/init"; (cd "$first" && find . | cpio -o -H newc --quiet | gzip -1) > "$out/first.cpio.gz"; rm -rf "$first"
