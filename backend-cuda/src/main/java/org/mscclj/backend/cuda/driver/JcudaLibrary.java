package org.mscclj.backend.cuda.driver;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import jcuda.driver.JCudaDriver;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.cache.CacheDirectory;

/**
 * Loads JCuda's native library from a file that this class unpacks. JCuda itself would write it in place to a fixed
 * name in the folder for temporary files, so that of several VMs that start at once some load an incomplete file. And
 * on the module path JCuda does not find the library at all.
 *
 * <p>JCuda loads an existing file without writing it. It searches the folder that {@code java.io.tmpdir} names at that
 * moment. So the property names this class's folder while JCuda's class is initialised, and is restored afterwards.
 */
public final class JcudaLibrary {
    private static final String KIND = "jcuda";
    private static final String FILE = "libJCudaDriver-12.6.0-linux-x86_64.so";
    private static final String RESOURCE = "lib/" + FILE;
    private static final String FOLDER_PROPERTY = "java.io.tmpdir";

    private static boolean loaded;

    private JcudaLibrary() {}

    /** Makes JCuda usable. Idempotent. The driver must be present. */
    public static synchronized void load() {
        if (!loaded) {
            initialize(CacheDirectory.ofUser().publish(KIND, FILE, read()));
        }
    }

    /** Makes JCuda usable if an earlier process has unpacked it. Writes nothing, as a search for a driver must not. */
    static synchronized void loadIfUnpacked() {
        if (!loaded) {
            CacheDirectory.ofUser().published(KIND, FILE, read()).ifPresent(JcudaLibrary::initialize);
        }
    }

    private static void initialize(Path folder) {
        String temporary = System.getProperty(FOLDER_PROPERTY);
        System.setProperty(FOLDER_PROPERTY, folder.toString());
        try {
            MethodHandles.lookup().ensureInitialized(JCudaDriver.class);
            loaded = true;
        } catch (LinkageError | IllegalCallerException | IllegalAccessException e) {
            throw new BackendException(
                    "JCuda's native library " + folder.resolve(FILE)
                            + " cannot be loaded; is --enable-native-access=jcuda among the VM's options, and"
                            + " may files of that"
                            + " folder be executed?",
                    e);
        } finally {
            System.setProperty(FOLDER_PROPERTY, temporary);
        }
    }

    private static byte[] read() {
        try (InputStream in = JCudaDriver.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new UnsupportedException(RESOURCE
                        + " is neither on the class path nor on the module path; add"
                        + " org.jcuda:jcuda-natives:12.6.0 with"
                        + " classifier linux-x86_64");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new BackendException("JCuda's native library cannot be read from its jar", e);
        }
    }
}
