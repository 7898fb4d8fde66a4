package org.mscclj.backend.cuda.ffm;

import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.library.CompilerLibrary;
import org.mscclj.posix.NativeLibrary;

/** NVRTC of CUDA 12 or 13; the functions that are used are equal in both. */
public final class Nvrtc {
    /** Its functions. */
    public static final CompilerLibrary LIBRARY = new CompilerLibrary(
            NativeLibrary.find(NvrtcPlaces.candidates(), NvrtcPlaces.MISSING, UnsupportedException::new),
            "nvrtc",
            "CUBIN");

    private Nvrtc() {}
}
