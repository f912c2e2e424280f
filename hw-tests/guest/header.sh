#!/bin/sh
# The simulated hardware of the virtual board, in both guests: the header's lines and the expander on its bus.
# The header: 28 lines with the names of a Raspberry Pi's. Nobody drives or pulls them: a button or a sensor that nobody touches
# reads as touched until whoever asks for the line asks for its pull-up as well.
# From the small guest's folder of modules, or by name where modprobe finds them.
load() {
    name=$1; shift
    file=$(ls /modules/*-"$name".ko 2>/dev/null | head -n 1)
    if [ -n "$file" ]; then insmod "$file" "$@"; else modprobe "$name" "$@"; fi
}
grep -q configfs /proc/mounts || mount -t configfs configfs /sys/kernel/config
[ -d /sys/kernel/config/gpio-sim ] || load gpio-sim
bank=/sys/kernel/config/gpio-sim/header/bank0
mkdir -p $bank; echo 28 > $bank/num_lines; echo table-io > $bank/label
line=0
while [ $line -lt 28 ]; do mkdir $bank/line$line; echo GPIO$line > $bank/line$line/name; line=$((line + 1)); done
echo 1 > /sys/kernel/config/gpio-sim/header/live
chip=$(cat $bank/chip_name); header=/sys/devices/platform/$(cat /sys/kernel/config/gpio-sim/header/dev_name)/$chip
ln -s $header /run/header
load mcp23017-sim chips=0x20 label=table-io line=22 || echo "@@ the expander does not load"
