package com.acme.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.mscclj.spi.memory.ProcessIdentity;
import org.mscclj.spi.memory.ProcessIdentity.Namespace;

/**
 * The folder of a process for files that other processes map, in memory if possible. Its name has the number of the
 * process, so that the next process can delete the folders of processes that were killed.
 */
final class ProcessFolder {
    private static final Path SHARED =
            Path.of(Files.isWritable(Path.of("/dev/shm")) ? "/dev/shm" : System.getProperty("java.io.tmpdir"));
    private static final String PREFIX = "acme-" + ProcessIdentity.reach(Namespace.PROCESS_NUMBERS) + "-";

    /** The folder of this process. */
    static final Path OWN = SHARED.resolve(PREFIX + ProcessHandle.current().pid());

    static {
        try (Stream<Path> all = Files.list(SHARED)) {
            all.filter(ProcessFolder::isAbandoned).toList().forEach(ProcessFolder::delete);
            Files.createDirectory(OWN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(OWN)));
    }

    private ProcessFolder() {}

    /** Whether a folder belongs to no running process. One with the number of this process is older. */
    private static boolean isAbandoned(Path folder) {
        String name = folder.getFileName().toString();
        if (!name.startsWith(PREFIX)) {
            return false;
        }
        long process = Long.parseLong(name.substring(PREFIX.length()));
        return folder.equals(OWN) || ProcessHandle.of(process).isEmpty();
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            System.getLogger("com.acme.device").log(System.Logger.Level.WARNING, "cannot delete " + folder, e);
        }
    }
}
