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
 * JCuda's native library, unpacked by us. JCuda itself would write it to a fixed name in the folder for temporary
 * files, in place, so that of several VMs that start at once some load half a file; and on the module path it does not
 * find the library at all.
 *
 * <p>JCuda loads, without writing, a file that is there already. It looks into the folder that {@code java.io.tmpdir}
 * names at that moment; so the property names our folder while JCuda's class is initialised, and is put back.
 */
public final class JcudaLibrary {
    private static final String KIND = "jcuda";
    private static final String FILE = "libJCudaDriver-12.6.0-linux-x86_64.so";
    private static final String RESOURCE = "lib/" + FILE;
    private static final String FOLDER_PROPERTY = "java.io.tmpdir";

    private static boolean loaded;

    private JcudaLibrary() {}

    /** Makes JCuda usable. Idempotent; the driver must be there. */
    public static synchronized void load() {
        if (!loaded) {
            initialize(CacheDirectory.ofUser().publish(KIND, FILE, read()));
        }
    }

    /** Makes JCuda usable if an earlier process has unpacked it: looking for a driver writes nothing. */
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
