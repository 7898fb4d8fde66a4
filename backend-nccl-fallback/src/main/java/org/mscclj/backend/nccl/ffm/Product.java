package org.mscclj.backend.nccl.ffm;

import java.lang.foreign.SymbolLookup;
import java.util.List;

/** The libraries with NCCL's interface. Each works on GPUs of one vendor. */
public enum Product {
    /** The library for GPUs of NVIDIA. */
    NCCL(
            "nccl",
            "cuda",
            "NVIDIA",
            "libnccl.so.2",
            "Debian and Ubuntu: libnccl2), set MSCCLJ_NCCL_LIB to the file, or set it to python for that of Python's"
                    + " packages (pip: nvidia-nccl-cu13)"),

    /** The library for GPUs of AMD. */
    RCCL("rccl", "rocm", "AMD", "librccl.so.1", "a part of ROCm, package rccl), or set MSCCLJ_NCCL_LIB to the file");

    /**
     * Symbols of RCCL that NCCL does not have: the first is missing in late versions, the last in early ones, and the
     * other one is deprecated.
     */
    private static final List<String> OF_RCCL = List.of("mscclLoadAlgo", "ncclAllToAllv", "ncclAllReduceWithBias");

    private final String label;
    private final String backend;
    private final String vendor;
    private final String file;
    private final String install;

    Product(String label, String backend, String vendor, String file, String install) {
        this.label = label;
        this.backend = backend;
        this.vendor = vendor;
        this.file = file;
        this.install = install;
    }

    /** Returns which product a library is. */
    static Product of(SymbolLookup symbols) {
        return OF_RCCL.stream().anyMatch(name -> symbols.find(name).isPresent()) ? RCCL : NCCL;
    }

    /** The name of the fallback, as users write it. */
    public String label() {
        return label;
    }

    /** The backend on whose devices the library works. */
    public String backend() {
        return backend;
    }

    /** The vendor of these devices. */
    String vendor() {
        return vendor;
    }

    /** The name of the library's file. */
    String file() {
        return file;
    }

    /** What a user does where the library is missing. Communicators end their calls, and need a version for that. */
    String install() {
        return "install " + this + " " + NcclFunction.COMM_INIT_RANK_CONFIG.since() + " or later (" + install;
    }
}
