package org.mscclj.gpu.compile;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.module.ModuleDescriptor.Version;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mscclj.plan.folder.FolderTrust;
import org.mscclj.plan.folder.UserCache;

/**
 * Kernels that were compiled elsewhere and are shipped in a folder, which is only read here. Some folders contain files
 * of a cache, which are valid for the compiler that made them. Others contain a file with the version of the toolkit
 * that compiled them: they are valid for every driver that is not older than this version, whatever the compiler.
 */
public final class ShippedKernels {
    private static final System.Logger LOGGER = System.getLogger(ShippedKernels.class.getName());
    private static final Pattern VERSION = Pattern.compile("\\d{1,3}\\.\\d{1,2}");

    /** The environment variable that sets the folder. Archives with kernels set it. */
    static final String VARIABLE = "MSCCLJ_KERNELS_DIR";

    /** The file that contains the version of the toolkit, as {@code 13.0}. */
    private static final String TOOLKIT_FILE = "toolkit";

    private static final FolderTrust TRUST = trust();

    private final Path folder;
    private final boolean forDriver;

    /**
     * Creates an instance for a folder.
     *
     * @param folder may be missing
     * @param driverVersion as {@code 13.0}
     */
    ShippedKernels(Path folder, String driverVersion) {
        this.folder = folder;
        this.forDriver = isForDriver(folder, driverVersion);
    }

    /** The kernels that came with the archive, if there are any. */
    static Optional<ShippedKernels> ofProcess(String driverVersion) {
        return Optional.ofNullable(System.getenv(VARIABLE))
                .filter(value -> !value.isBlank())
                .map(value -> new ShippedKernels(Path.of(value), driverVersion));
    }

    /**
     * Prepares a folder for kernels that one toolkit compiles. A folder that is prepared already is continued.
     *
     * @param folder created if it is missing
     * @param toolkit its version, as {@code 13.0}
     * @throws IOException if the folder has kernels of another toolkit, or nothing can be written there
     */
    public static void begin(Path folder, String toolkit) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(TOOLKIT_FILE);
        if (Files.exists(file) && !Files.readString(file).strip().equals(toolkit)) {
            throw new IOException(folder + " has kernels of the toolkit "
                    + Files.readString(file).strip() + ", and these are of " + toolkit + "; name another folder");
        }
        Files.writeString(file, toolkit + "\n");
    }

    /**
     * Adds a kernel to a prepared folder.
     *
     * @param source the source as {@link KernelCompiler#compile} receives it
     * @param options the options as the compiler receives them
     * @param code an object file, made by the folder's toolkit
     * @throws IOException if it cannot be written
     */
    public static void add(Path folder, String source, List<String> options, byte[] code) throws IOException {
        String name = new KernelKey(source, options).nameByAnyCompiler() + KernelFiles.SUFFIX;
        Files.write(folder.resolve(name), KernelFiles.content(code));
    }

    /** Reads the code of a kernel, if it is present and undamaged, and the driver can load it. */
    Optional<byte[]> read(KernelKey key, String compiler) {
        return read(key.nameBy(compiler)).or(() -> forDriver ? read(key.nameByAnyCompiler()) : Optional.empty());
    }

    private Optional<byte[]> read(String name) {
        return read(folder, name + KernelFiles.SUFFIX).flatMap(KernelFiles::code);
    }

    /** A file that came with the program may belong to the owner of the program, to this user, or to the superuser. */
    private static Optional<byte[]> read(Path folder, String name) {
        return UserCache.read(folder.resolve(name), TRUST);
    }

    private static FolderTrust trust() {
        CodeSource source = ShippedKernels.class.getProtectionDomain().getCodeSource();
        try {
            return source == null || source.getLocation() == null
                    ? FolderTrust.ofUser()
                    : FolderTrust.ofUser()
                            .andOwnerOf(Path.of(source.getLocation().toURI()));
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException _) {
            return FolderTrust.ofUser(); // the program is not in a file, for example in an image of jlink
        }
    }

    /** Checks once whether the folder is valid for the driver. If it is not, the reason is logged. */
    private static boolean isForDriver(Path folder, String driverVersion) {
        Optional<String> toolkit =
                read(folder, TOOLKIT_FILE).map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip());
        if (toolkit.isEmpty()) {
            return false; // all files come from a cache
        }
        boolean isFor = VERSION.matcher(toolkit.get()).matches() && compare(toolkit.get(), driverVersion) <= 0;
        if (!isFor) {
            LOGGER.log(
                    Level.INFO,
                    "kernels in {0} are of the toolkit \"{1}\", and the driver is for {2}: kernels are"
                            + " compiled anew; update the driver to one"
                            + " that is not older",
                    folder,
                    toolkit.get(),
                    driverVersion);
        }
        return isFor;
    }

    private static int compare(String toolkit, String driver) {
        return Version.parse(toolkit).compareTo(Version.parse(driver));
    }
}
