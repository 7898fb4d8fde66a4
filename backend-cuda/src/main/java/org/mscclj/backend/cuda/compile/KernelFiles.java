package org.mscclj.backend.cuda.compile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.mscclj.backend.cuda.cache.CacheDirectory;
import org.mscclj.backend.cuda.cache.Digest;

/** Compiled kernels on disk, each behind its digest: what is damaged counts as missing. */
record KernelFiles(CacheDirectory directory) {
    private static final String KIND = "kernels";
    private static final String SUFFIX = ".cubin";

    /** The code of a key, if it is there and whole. */
    Optional<byte[]> read(String key) {
        return directory.read(KIND, key + SUFFIX).flatMap(KernelFiles::verified);
    }

    private static Optional<byte[]> verified(byte[] file) {
        if (file.length <= Digest.BYTES) {
            return Optional.empty();
        }
        byte[] digest = Arrays.copyOf(file, Digest.BYTES);
        byte[] code = Arrays.copyOfRange(file, Digest.BYTES, file.length);
        return Arrays.equals(digest, Digest.bytes(code)) ? Optional.of(code) : Optional.empty();
    }

    /** Keeps the code of a key. */
    void write(String key, byte[] code) throws IOException {
        byte[] file = ByteBuffer.allocate(Digest.BYTES + code.length)
                .put(Digest.bytes(code))
                .put(code)
                .array();
        directory.write(KIND, key + SUFFIX, file);
    }
}
