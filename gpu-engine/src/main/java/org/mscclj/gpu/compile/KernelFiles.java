package org.mscclj.gpu.compile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.mscclj.gpu.cache.CacheDirectory;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.plan.digest.Sha256;

/**
 * Compiled kernels on disk. Each file begins with the digest of its code, and a damaged file counts as missing.
 *
 * @param directory the folder for kernels that this process compiles
 * @param shipped kernels that were compiled elsewhere
 */
record KernelFiles(CacheDirectory directory, Optional<ShippedKernels> shipped) {
    /** The suffix of file names. */
    static final String SUFFIX = ".cubin";

    private static final String KIND = "kernels";

    /** Returns the kernels of the user's cache, and those that came with the archive. */
    static KernelFiles ofUser(GpuDriver driver) {
        return new KernelFiles(CacheDirectory.ofUser(), ShippedKernels.ofProcess(driver.version()));
    }

    /**
     * Reads the code of a kernel, if it is present and undamaged.
     *
     * @param compiler the name of the compiler, with its version
     */
    Optional<byte[]> read(KernelKey key, String compiler) {
        return directory
                .read(KIND, key.nameBy(compiler) + SUFFIX)
                .flatMap(KernelFiles::code)
                .or(() -> shipped.flatMap(kernels -> kernels.read(key, compiler)));
    }

    /** Writes the code of a kernel. */
    void write(KernelKey key, String compiler, byte[] code) throws IOException {
        directory.write(KIND, key.nameBy(compiler) + SUFFIX, content(code));
    }

    /** The content of the file for some code. */
    static byte[] content(byte[] code) {
        return ByteBuffer.allocate(Sha256.BYTES + code.length)
                .put(Sha256.bytes(code))
                .put(code)
                .array();
    }

    /** The code in the content of a file, if it is undamaged. */
    static Optional<byte[]> code(byte[] file) {
        if (file.length <= Sha256.BYTES) {
            return Optional.empty();
        }
        byte[] digest = Arrays.copyOf(file, Sha256.BYTES);
        byte[] code = Arrays.copyOfRange(file, Sha256.BYTES, file.length);
        return Arrays.equals(digest, Sha256.bytes(code)) ? Optional.of(code) : Optional.empty();
    }
}
