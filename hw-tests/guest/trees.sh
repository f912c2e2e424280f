#!/bin/bash
# The boards' device trees with symbols, from Debian's kernel source; the kernel package's own have none, and an overlay is
# merged by symbol. Boards that this source does not have are left out. usage: trees.sh SOURCE.deb FOLDER
set -euo pipefail
deb=$1 out=$2
[ -e "$out/stamp" ] && exit 0
series=$(basename "$deb" | sed 's/linux-source-\([0-9.]*\)_.*/\1/'); work=$out/work; rm -rf "$work"; mkdir -p "$work"
dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/linux-source-$series.tar.xz" | tar -xJ -C "$work" --strip-components=1 --wildcards \
    "linux-source-$series/arch/arm/boot/dts/bcm2*" "linux-source-$series/arch/arm64/boot/dts/broadcom/bcm27*" "linux-source-$series/include/dt-bindings/*"
for board in bcm2711-rpi-4-b bcm2711-rpi-cm4-io bcm2712-rpi-5-b; do
    source=$(ls "$work"/arch/arm/boot/dts/$board.dts "$work"/arch/arm64/boot/dts/broadcom/$board.dts 2>/dev/null | head -n 1 || true)
    [ -n "$source" ] || continue
    cpp -nostdinc -undef -x assembler-with-cpp -I "$work/arch/arm/boot/dts" -I "$work/arch/arm64/boot/dts" -I "$work/include" "$source" |
        dtc -q -@ -I dts -O dtb -o "$out/$board.dtb"
done
rm -rf "$work"; touch "$out/stamp"
