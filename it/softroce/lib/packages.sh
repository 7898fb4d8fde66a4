# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that read this file
# Packages of Debian: QEMU, which is installed, and what the guest consists of, which is only downloaded.

# The kernel is added to them. Packages that these need are named, too: nothing here resolves dependencies.
guest_packages=(
    busybox-static dash bash libtinfo6 libc6 libgcc-s1 libstdc++6 zlib1g
    libibverbs1 ibverbs-providers ibverbs-utils librdmacm1 rdmacm-utils libnl-3-200 libnl-route-3-200
    iproute2 libmnl0 libelf1 libbpf1 libcap2 libbsd0 libmd0 libxtables12
    perftest libpci3 libudev1 libibumad3
)

update_lists() {
    told "reading the lists of packages"
    as_root apt-get update -qq >&2 || true # a list that is not to be had may not be needed
}

# Ends with 69 if the bed cannot work here, and says why.
check_machine() {
    [ "$(uname -s) $(uname -m)" = "Linux x86_64" ] ||
        fail 69 "this machine is $(uname -s) $(uname -m), and guests run on Linux x86_64 only"
    local tool
    for tool in apt-get dpkg-deb flock setpriv xz od; do
        command -v "$tool" >/dev/null ||
            fail 69 "there is no $tool: the bed runs on Debian 12, where packages apt, dpkg, util-linux, xz-utils and" \
                "coreutils have it"
    done
}

# Waits for another process that installs.
install_qemu() {
    ! command -v qemu-system-x86_64 >/dev/null || return 0
    told "installing qemu-system-x86"
    local log=$cache/install.log install
    mkdir -p "$cache"
    install=(as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq
        --no-install-recommends qemu-system-x86)
    if ! "${install[@]}" >"$log" 2>&1 </dev/null; then
        update_lists
        "${install[@]}" >"$log" 2>&1 </dev/null || {
            cat "$log" >&2
            fail 69 "there is no qemu-system-x86_64 and its package could not be installed: as root, run" \
                "apt-get install qemu-system-x86"
        }
    fi
}

# The package that linux-image-amd64 depends on. It has rdma_rxe, which the kernel for clouds lacks.
kernel_package() {
    apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image-[0-9]/ { print $2; exit }'
}

download_packages() {
    local kernel
    kernel=$(kernel_package)
    if [ -z "$kernel" ]; then
        update_lists
        kernel=$(kernel_package)
    fi
    [ -n "$kernel" ] ||
        fail 69 "apt knows no package linux-image-amd64: guests are made of Debian's packages, and this is another system"
    local download=(apt-get -o APT::Sandbox::User=root download -qq "$kernel" "${guest_packages[@]}")
    if ! "${download[@]}" >log 2>&1; then
        # Lists that are old name packages which are gone.
        update_lists
        kernel=$(kernel_package)
        download[5]=$kernel
        "${download[@]}" >log 2>&1 || {
            cat log >&2
            fail 69 "packages of the guest could not be downloaded"
        }
    fi
}
