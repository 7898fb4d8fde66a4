package org.mscclj.backend.cuda.compile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.mscclj.backend.cuda.cache.CacheDirectory;
import org.mscclj.backend.cuda.cache.Digest;

/**
 * Compiled kernels on disk, each behind its digest: what is damaged counts as missing.
 *
 * @param directory what is compiled is kept here
 * @param shipped a folder of files that were compiled elsewhere, which is only read; empty for none
 */
record KernelFiles(CacheDirectory directory, Optional<Path> shipped) {
    /** Names the folder of kernels that were compiled elsewhere. Archives that have some set it. */
    static final String SHIPPED_VARIABLE = "MSCCLJ_KERNELS_DIR";

    private static final String KIND = "kernels";
    private static final String SUFFIX = ".cubin";

    /** Those of the user, and those that came with the archive. */
    static KernelFiles ofUser() {
        return new KernelFiles(
                CacheDirectory.ofUser(),
                Optional.ofNullable(System.getenv(SHIPPED_VARIABLE))
                        .filter(value -> !value.isBlank())
                        .map(Path::of));
    }

    /** The code of a key, if it is there and whole. */
    Optional<byte[]> read(String key) {
        String name = key + SUFFIX;
        return directory
                .read(KIND, name)
                .flatMap(KernelFiles::verified)
                .or(() -> shipped.flatMap(folder -> CacheDirectory.read(folder.resolve(name)))
                        .flatMap(KernelFiles::verified));
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
