#!/bin/bash
# The kernel of the virtual board: Debian's own, with two modules built beside it from Debian's sources (gpio-sim is not in
# Debian's kernels, and no kernel has an MCP23017 that can be pulled off its bus). Nothing is installed; what is downloaded
# is kept. usage: kernel.sh amd64|arm64 FOLDER
# Exit code 3 means that the packages cannot be had here; any other failure is one of the tests.
set -euo pipefail
arch=$1 out=$2 here=$(cd "$(dirname "$0")" && pwd)
abi=$(apt-cache depends linux-image-"$arch" 2>/dev/null | sed -n "s/.*Depends: linux-image-\(.*\)-$arch\$/\1/p")
[ -n "$abi" ] || { echo "no kernel package for $arch is known to apt: apt-get update" >&2; exit 3; }
stamp="$abi $(cat "$here/kernel.sh" "$here"/modules/* | sha256sum | cut -c1-16)"
[ "$(cat "$out/stamp" 2>/dev/null)" = "$stamp" ] && exit 0
series=${abi%.*}; work=$out/work; deb=$out/deb
rm -rf "$work"; mkdir -p "$work" "$deb"
names="linux-image-$abi-$arch linux-headers-$abi-$arch linux-headers-$abi-common linux-kbuild-$series linux-source-$series"
[ "$arch" = arm64 ] && names="linux-image-$abi-arm64:arm64 linux-headers-$abi-arm64:arm64 linux-headers-$abi-common linux-kbuild-$series linux-source-$series busybox-static:arm64"
for name in $names; do
    ls "$deb/${name%%:*}"_*.deb >/dev/null 2>&1 || (cd "$deb" && apt-get -qq -o APT::Sandbox::User=root download "$name") ||
        { echo "$name cannot be downloaded" >&2; exit 3; }
done
# By name: an earlier kernel's packages may lie there too.
for name in $names; do
    case $name in linux-image-* | linux-headers-* | linux-kbuild-*) dpkg-deb -x "$(ls "$deb/${name%%:*}"_*.deb | tail -n 1)" "$work" ;; esac
done
[ "$arch" = arm64 ] && dpkg-deb -x "$deb"/busybox-static_*.deb "$work/busybox"
sources="drivers/gpio/gpio-sim.c drivers/gpio/gpiolib.h kernel/irq/irq_sim.c"
mkdir -p "$work/sources"
dpkg-deb --fsys-tarfile "$deb"/linux-source-*.deb | tar -xO "./usr/src/linux-source-$series.tar.xz" |
    tar -xJ -C "$work/sources" --strip-components=1 $(for each in $sources; do echo "linux-source-$series/$each"; done)

# gpio-sim with irq_sim folded in: irq_to_desc() is not exported, its data's descriptor is the same one.
build=$work/build; mkdir "$build"; cp "$work/sources/drivers/gpio/gpiolib.h" "$here"/modules/mcp23017-sim.c "$build"
cat "$work/sources/drivers/gpio/gpio-sim.c" "$here/modules/gpio-sim-drive.c.inc" > "$build/gpio-sim-main.c"
sed -e '/^EXPORT_SYMBOL_GPL/d' -e 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' \
    "$work/sources/kernel/irq/irq_sim.c" > "$build/irq_sim.c"
printf 'obj-m := gpio-sim.o mcp23017-sim.o\ngpio-sim-y := gpio-sim-main.o irq_sim.o\n' > "$build/Kbuild"
headers=$work/usr/src/linux-headers-$abi-$arch
sed -i "s#^include /usr/src#include $work/usr/src#" "$headers/Makefile"
# Debian's headers look for their scripts in /usr/lib.
for link in scripts tools; do
    [ -L "$headers/$link" ] && ln -sfn "$work/usr/lib/linux-kbuild-$series/$link" "$headers/$link"
    common=$work/usr/src/linux-headers-$abi-common
    [ -L "$common/$link" ] && ln -sfn "$work/usr/lib/linux-kbuild-$series/$link" "$common/$link"
done
cross=; strip=strip
[ "$arch" = arm64 ] && cross="ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-" && strip=aarch64-linux-gnu-strip
make -s -C "$headers" M="$build" $cross modules

# The modules that the guest loads, in their order; those that this kernel has built in are left out.
modules=$work/lib/modules/$abi-$arch/kernel; rm -rf "$out/modules"; mkdir "$out/modules"; number=10
for name in fs/configfs/configfs drivers/i2c/i2c-dev \
    drivers/virtio/virtio_ring drivers/virtio/virtio drivers/virtio/virtio_pci_modern_dev drivers/virtio/virtio_pci_legacy_dev \
    drivers/virtio/virtio_pci drivers/block/virtio_blk drivers/char/virtio_console drivers/char/hw_random/rng-core \
    crypto/crc32c_generic lib/libcrc32c lib/crc16 fs/mbcache fs/jbd2/jbd2 fs/ext4/ext4 \
    drivers/usb/common/usb-common drivers/usb/core/usbcore drivers/usb/host/xhci-hcd drivers/usb/host/xhci-pci \
    drivers/usb/serial/usbserial drivers/usb/serial/ftdi_sio; do
    for file in "$modules/$name.ko" "$modules/$name.ko.xz"; do
        [ -e "$file" ] || continue
        to=$out/modules/$number-$(basename "$name").ko; number=$((number + 1))
        case $file in *.xz) xz -dc "$file" > "$to" ;; *) cp "$file" "$to" ;; esac
    done
done
cp "$build/gpio-sim.ko" "$out/modules/80-gpio-sim.ko"; cp "$build/mcp23017-sim.ko" "$out/modules/90-mcp23017-sim.ko"
$strip -g "$out"/modules/*.ko
if [ "$arch" = amd64 ]; then
    # Uncompressed, it starts eight seconds earlier under emulation.
    offset=$(LC_ALL=C grep -obUaP '\xfd7zXZ\x00' "$work/boot/vmlinuz-$abi-amd64" | head -n 1 | cut -d: -f1)
    tail -c +$((offset + 1)) "$work/boot/vmlinuz-$abi-amd64" | xz -dc --single-stream > "$out/kernel" 2>/dev/null || [ -s "$out/kernel" ]
else
    cp "$work/boot/vmlinuz-$abi-arm64" "$out/kernel"
fi
cp "${BUSYBOX:-/bin/busybox}" "$out/busybox"
[ "$arch" = arm64 ] && cp "$work"/busybox/*bin/busybox "$out/busybox"
# Kept for the systemd guest, which loads by name.
rm -rf "$out/tree"; mkdir -p "$out/tree"; cp -r "$work/lib/modules" "$out/tree/"; mkdir -p "$out/tree/modules/$abi-$arch/extra"
cp "$build"/*.ko "$out/tree/modules/$abi-$arch/extra/"
rm -rf "$work"
echo "$stamp" > "$out/stamp"
