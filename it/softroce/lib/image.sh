# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that read this file
# The kernel and the root file system of a guest, made of the downloaded packages.

# Modules of the kernel that are unpacked: the whole package has 400 MB.
kernel_parts=(
    './boot/vmlinuz-*' '*/modules.builtin*' '*/modules.order'
    '*/drivers/infiniband/core/*' '*/drivers/infiniband/sw/rxe/*' '*/net/ipv4/udp_tunnel.ko' '*/net/ipv6/ip6_udp_tunnel.ko'
    '*/crypto/crc32*_generic.ko' '*/arch/x86/crypto/crc32*'
    '*/drivers/net/dummy.ko' '*/drivers/net/virtio_net.ko' '*/drivers/net/net_failover.ko' '*/net/core/failover.ko'
    '*/drivers/virtio/*' '*/net/9p/*' '*/fs/9p/*' '*/fs/fscache/*' '*/fs/netfs/*' '*/fs/configfs/*'
    '*/net/sched/sch_netem.ko' '*/net/sched/sch_ingress.ko' '*/net/sched/cls_matchall.ko' '*/net/sched/act_gact.ko'
)

# The kernel as QEMU boots it by PVH: without the compression, which takes seconds to undo in emulation.
unpack_kernel() {
    dpkg-deb --fsys-tarfile "$cache/$packages"/linux-image-*.deb | tar -x --wildcards "${kernel_parts[@]}"
    local compressed offset length
    compressed=$(echo boot/vmlinuz-*)
    # The boot protocol of x86: sectors of the set-up code at 497, offset and length of the payload at 584 and 588.
    number() { od -An -t"u$2" -j"$1" -N"$2" "$compressed" | tr -d ' '; }
    offset=$((($(number 497 1) + 1) * 512 + $(number 584 4)))
    length=$(number 588 4)
    # The last four bytes are the size of what it unpacks to.
    head -c $((offset + length - 4)) "$compressed" | tail -c $((length - 4)) | xz -dc --single-stream >vmlinux
    rm -r boot
}

# The root file system: a folder, from which the archive for the kernel is made.
make_root() {
    local package applet version folder
    mkdir -p root/usr/bin root/usr/sbin root/usr/lib root/usr/lib64
    for folder in bin sbin lib lib64; do
        ln -s "usr/$folder" "root/$folder"
    done
    for package in "$cache/$packages"/*.deb; do
        case $package in
            */linux-image-*) ;;
            *) dpkg-deb --fsys-tarfile "$package" | tar -C root -x --keep-directory-symlink --exclude='./usr/share/*' \
                --exclude='*/gconv/*' --exclude='*.a' ;;
        esac
    done
    mkdir -p root/proc root/sys root/dev root/tmp root/run root/root root/mnt
    cp -a "$cache/$kernel/lib/modules" root/usr/lib/
    version=$(basename root/usr/lib/modules/*)
    # Not all of busybox's names: its shell would prefer its own "ip" to that of iproute2.
    local busybox=root/bin/busybox
    "$busybox" depmod -b root "$version"
    ln -sf dash root/usr/bin/sh
    ln -sf ../bin/busybox root/usr/sbin/modprobe # called by the kernel, too
    for applet in $("$busybox" --list); do
        [ -e "root/usr/bin/$applet" ] || [ -e "root/usr/sbin/$applet" ] || ln -s busybox "root/usr/bin/$applet"
    done
    rm root/bin/ss # its libraries are not here: netstat shows sockets
    archive root >root.cpio
}

# archive FOLDER: writes it as an archive that the kernel unpacks.
archive() {
    local busybox=$cache/$image/root/bin/busybox
    [ -x "$busybox" ] || busybox=$PWD/root/bin/busybox
    (cd "$1" && find . -mindepth 1 | LC_ALL=C sort | "$busybox" cpio -o -H newc 2>/dev/null)
}
