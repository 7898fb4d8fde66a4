package org.mscclj.gpu.compile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.mscclj.gpu.cache.CacheDirectory;
import org.mscclj.gpu.cache.Digest;
import org.mscclj.gpu.driver.GpuDriver;

/**
 * Compiled kernels on disk, each behind its digest: what is damaged counts as missing.
 *
 * @param directory what is compiled is kept here
 * @param shipped what was compiled elsewhere
 */
record KernelFiles(CacheDirectory directory, Optional<ShippedKernels> shipped) {
    /** The end of the name of a file. */
    static final String SUFFIX = ".cubin";

    private static final String KIND = "kernels";

    /** Those of the user, and those that came with the archive. */
    static KernelFiles ofUser(GpuDriver driver) {
        return new KernelFiles(CacheDirectory.ofUser(), ShippedKernels.ofProcess(driver.version()));
    }

    /**
     * The code of a kernel, if it is there and whole.
     *
     * @param compiler which compiler there is, with its version
     */
    Optional<byte[]> read(KernelKey key, String compiler) {
        return directory
                .read(KIND, key.nameBy(compiler) + SUFFIX)
                .flatMap(KernelFiles::code)
                .or(() -> shipped.flatMap(kernels -> kernels.read(key, compiler)));
    }

    /** Keeps the code of a kernel. */
    void write(KernelKey key, String compiler, byte[] code) throws IOException {
        directory.write(KIND, key.nameBy(compiler) + SUFFIX, content(code));
    }

    /** What a file has for some code. */
    static byte[] content(byte[] code) {
        return ByteBuffer.allocate(Digest.BYTES + code.length)
                .put(Digest.bytes(code))
                .put(code)
                .array();
    }

    /** The code of a file, if it is whole. */
    static Optional<byte[]> code(byte[] file) {
        if (file.length <= Digest.BYTES) {
            return Optional.empty();
        }
        byte[] digest = Arrays.copyOf(file, Digest.BYTES);
        byte[] code = Arrays.copyOfRange(file, Digest.BYTES, file.length);
        return Arrays.equals(digest, Digest.bytes(code)) ? Optional.of(code) : Optional.empty();
    }
}
