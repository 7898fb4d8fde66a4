package org.mscclj.runtime.dump;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mscclj.api.Health;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.option.Flag;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.settings.RuntimeFolder;

/**
 * A socket in a folder that only this user may enter. It reports whether this process is healthy, and dumps what the
 * process has launched, to each client that connects. One thread answers, whatever the other threads do; therefore
 * {@code mscclj debug dump} works for processes that are stuck.
 */
public final class DumpSocket {
    /** The environment variable that turns the socket off, if it is 0. */
    public static final String VARIABLE = "MSCCLJ_DEBUG_SOCKET";

    private static final System.Logger LOGGER = System.getLogger(DumpSocket.class.getName());
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final String SUFFIX = ".sock";

    /** A client has given up by then. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int TRIES = 3;

    /** The capacity of {@code sun_path} of Linux, in bytes, without the zero at its end. */
    private static final int MAX_PATH = 107;

    private static final int MAX_PID = 4_194_304;

    /** {@code PF_EXITING} of Linux, among the flags of a process. */
    private static final long EXITING = 4;

    private static boolean open;

    private DumpSocket() {}

    /**
     * Opens the socket of this process, if it is enabled and not open yet. Failures are logged.
     *
     * @param health returns the faults so far; called for each client
     * @param dumps returns the dumps to make; called for each client
     */
    public static synchronized void open(
            Map<String, String> environment, Supplier<Health> health, Supplier<List<RankDump>> dumps) {
        if (open || !Flag.of(environment, VARIABLE, true)) {
            return;
        }
        open = true;
        try {
            Bound bound = bind(() -> folder(environment));
            DumpServer server = new DumpServer(bound.server, health, dumps, TIMEOUT, FlightRecorder.TIMEOUT);
            start(bound, Thread.ofPlatform().daemon().name("mscclj-debug").unstarted(server::serve)::start);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(bound.socket), "mscclj-debug-end"));
        } catch (IOException | RuntimeException e) {
            LOGGER.log(
                    Level.INFO, "mscclj debug will not find this process, for it has no socket: " + FileProblem.of(e));
        }
    }

    /**
     * Starts the thread that answers. A process that has reached its limit of threads cannot start it, and does without
     * a socket.
     *
     * @throws IOException if the thread cannot be started; nothing listens then
     */
    static void start(Bound bound, Runnable thread) throws IOException {
        try {
            thread.run();
        } catch (OutOfMemoryError e) {
            bound.server.close();
            Files.deleteIfExists(bound.socket);
            throw new IOException("its thread cannot be started", e);
        }
    }

    /** Returns whether the path of a socket in a folder is short enough, for any number of its process. */
    private static boolean hasRoom(Path folder) {
        return folder.resolve(MAX_PID + SUFFIX).toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8).length
                <= MAX_PATH;
    }

    /** The socket on which a process listens. */
    record Bound(Path socket, ServerSocketChannel server) {}

    /** Returns the folder of the sockets, and creates it if it is missing. */
    interface Folder {
        Path make() throws IOException;
    }

    /**
     * Binds the socket and listens. A process that ends removes the folder if it is empty, even just after this process
     * has created it; this method then creates it again.
     */
    static Bound bind(Folder folder) throws IOException {
        for (int tries = 1; ; tries++) {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                Path socket = folder.make().resolve(ProcessHandle.current().pid() + SUFFIX);
                Files.deleteIfExists(socket); // of an earlier process with this number
                server.bind(UnixDomainSocketAddress.of(socket));
                return new Bound(socket, server);
            } catch (IOException | RuntimeException e) {
                server.close();
                if (tries == TRIES || e instanceof RuntimeException) {
                    throw e;
                }
            }
        }
    }

    /**
     * Removes the socket of this process, those that killed processes have left behind, and the folder if it is then
     * empty.
     */
    private static void remove(Path own) {
        Path folder = own.resolveSibling("");
        try {
            Files.deleteIfExists(own);
            try (Stream<Path> others = Files.list(folder)) {
                for (Path other : others.filter(DumpSocket::isLeftBehind).toList()) {
                    Files.deleteIfExists(other);
                }
            }
            Files.deleteIfExists(folder);
        } catch (IOException | UncheckedIOException _) {
            // other processes still use the folder, or are removing it, too
        }
    }

    /**
     * Returns whether no process listens any more. Processes of other containers, whose numbers are not valid here, may
     * share the folder.
     */
    static boolean isLeftBehind(Path socket) {
        String name = socket.getFileName().toString();
        String number = name.substring(0, name.length() - Math.min(name.length(), SUFFIX.length()));
        if (!name.endsWith(SUFFIX)
                || !number.matches("[0-9]{1,9}")
                || (ProcessHandle.of(Long.parseLong(number)).isPresent()
                        && !isEnding(Path.of("/proc", number, "stat")))) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return false;
        } catch (IOException _) {
            return true;
        }
    }

    /**
     * Returns whether a process is a zombie, or is still being ended by the system, as after a kill: it no longer
     * listens.
     */
    private static boolean isEnding(Path stat) {
        try {
            String told = Files.readString(stat);
            String[] fields =
                    told.substring(told.lastIndexOf(')') + 2).split(" ", -1); // the name may contain any character
            return fields[0].equals("Z") || fields[0].equals("X") || (Long.parseLong(fields[6]) & EXITING) != 0;
        } catch (IOException | RuntimeException _) {
            return false; // the process is gone, which the next call finds, or this is not Linux
        }
    }

    /**
     * Returns the folder of the sockets of this user's processes.
     *
     * @throws IOException if the folder belongs to another user, or other users may enter it
     */
    public static Path folder(Map<String, String> environment) throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        String name = "mscclj-" + user + "-debug";
        List<Path> parents = RuntimeFolder.all(environment);
        Path folder = parents.stream()
                .map(parent -> parent.resolve(name))
                .filter(DumpSocket::hasRoom)
                .findFirst()
                .orElseThrow(() -> new IOException("the path of a socket has at most " + MAX_PATH + " bytes, and "
                        + parents + " leave too few; name a shorter folder in XDG_RUNTIME_DIR or java.io.tmpdir"));
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
            } catch (FileAlreadyExistsException _) {
                // another process was faster
            }
        }
        if (!Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user)
                || !Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
                        .equals(PRIVATE)) {
            throw new IOException(folder + " is not a folder of this user alone; remove it");
        }
        return folder;
    }
}
