package org.mscclj.backend.cuda.compile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.backend.cuda.cache.CacheDirectory;
import org.mscclj.backend.cuda.ffm.Driver;

/**
 * Kernels that were compiled elsewhere and came along, in a folder that is only read here. Some are files of somebody's cache, which are for the same compiler
 * as here. Others say by a file of the folder which toolkit compiled them: they are for every driver that is not older, whatever compiler there is.
 */
public final class ShippedKernels {
    /** Names the folder. Archives that have kernels set it. */
    static final String VARIABLE = "MSCCLJ_KERNELS_DIR";

    /** The file that has the version of the toolkit, as {@code 13.0}. */
    private static final String TOOLKIT_FILE = "toolkit";

    private final Path folder;
    private final int driverVersion;

    /**
     * Those of a folder.
     *
     * @param folder need not be there
     * @param driverVersion 13000 for CUDA 13.0
     */
    ShippedKernels(Path folder, int driverVersion) {
        this.folder = folder;
        this.driverVersion = driverVersion;
    }

    /** Those that came with the archive, if any did. */
    static Optional<ShippedKernels> ofProcess() {
        return Optional.ofNullable(System.getenv(VARIABLE))
                .filter(value -> !value.isBlank())
                .map(value -> new ShippedKernels(Path.of(value), Driver.version()));
    }

    /**
     * Puts a kernel into a folder of such.
     *
     * @param toolkit version of the toolkit that has compiled it, as {@code 13.0}; one for all of a folder
     * @param source what {@link KernelCompiler#compile} is given
     * @param architecture the same
     * @param code an object file
     */
    public static void add(Path folder, String toolkit, String source, String architecture, byte[] code)
            throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(TOOLKIT_FILE), toolkit + "\n");
        Files.write(
                folder.resolve(KernelKey.of(source, architecture).ofAnyCompiler() + KernelFiles.SUFFIX),
                KernelFiles.content(code));
    }

    /** The code of a kernel, if it is there and whole, and the driver can load it. */
    Optional<byte[]> read(KernelKey key, String compiler) {
        return read(key.of(compiler)).or(() -> isForDriver() ? read(key.ofAnyCompiler()) : Optional.empty());
    }

    private Optional<byte[]> read(String name) {
        return CacheDirectory.read(folder.resolve(name + KernelFiles.SUFFIX)).flatMap(KernelFiles::code);
    }

    private boolean isForDriver() {
        return CacheDirectory.read(folder.resolve(TOOLKIT_FILE))
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip())
                .filter(toolkit -> toolkit.matches("\\d{1,3}\\.\\d{1,2}"))
                .filter(toolkit -> driverVersionOf(toolkit) <= driverVersion)
                .isPresent();
    }

    private static int driverVersionOf(String toolkit) {
        String[] parts = toolkit.split("\\.", -1);
        return 1000 * Integer.parseInt(parts[0]) + 10 * Integer.parseInt(parts[1]);
    }
}
