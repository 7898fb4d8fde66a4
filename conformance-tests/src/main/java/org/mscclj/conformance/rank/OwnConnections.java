package org.mscclj.conformance.rank;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.NativeAccess;
import org.mscclj.posix.SocketControl;

/**
 * The TCP connections of this process, as Linux lists them, including those of libraries. Standard input and output may
 * be connections, too, but they lead to what has started this process, and do not count.
 */
public final class OwnConnections {
    private static final Path OWN = Path.of("/proc/self");
    private static final String LINK_START = "socket:[";

    /** The position of the state in a line of {@code /proc/net/tcp}, split at blanks. */
    private static final int STATE = 3;

    private static final int INODE = 9;
    private static final int STANDARD_ERROR = 2;
    private static final String ESTABLISHED = "01";

    private OwnConnections() {}

    /** Returns whether the connections can be cut. */
    public static boolean canBeCut() {
        return Files.isReadable(OWN.resolve("net/tcp")) // otherwise this is another system
                && NativeAccess.refusal().isEmpty();
    }

    /**
     * Cuts all connections. To its peers, the process loses all of them at one moment. The process first drops what
     * arrives, so that it sees no cut itself, and reports none over a connection that is not cut yet. Then it ends
     * sending. Finally it ends receiving and sees the cuts itself.
     *
     * @throws UnsupportedException if there are no connections, they cannot be listed, or cannot be cut
     */
    public static void cut() {
        List<Integer> descriptors = // others may have ended by themselves
                descriptors().stream().filter(SocketControl::dropWhatComes).toList();
        if (descriptors.isEmpty()) {
            throw new UnsupportedException("this process has no TCP connection that could be cut");
        }
        descriptors.forEach(SocketControl::endSending);
        descriptors.forEach(SocketControl::endReceiving);
    }

    private static List<Integer> descriptors() {
        try {
            Set<String> connections = new HashSet<>();
            for (String table : List.of("net/tcp", "net/tcp6")) {
                if (Files.isReadable(OWN.resolve(table))) {
                    Files.readAllLines(OWN.resolve(table)).stream()
                            .map(line -> line.strip().split("\\s+"))
                            .filter(words -> words.length > INODE && words[STATE].equals(ESTABLISHED))
                            .forEach(words -> connections.add(LINK_START + words[INODE] + "]"));
                }
            }
            List<Integer> descriptors = new ArrayList<>();
            try (DirectoryStream<Path> open = Files.newDirectoryStream(OWN.resolve("fd"))) {
                for (Path descriptor : open) {
                    int number = Integer.parseInt(descriptor.getFileName().toString());
                    if (number > STANDARD_ERROR
                            && Files.isSymbolicLink(descriptor)
                            && connections.contains(
                                    Files.readSymbolicLink(descriptor).toString())) {
                        descriptors.add(number);
                    }
                }
            }
            return descriptors;
        } catch (IOException e) {
            throw new UnsupportedException("the connections of this process cannot be listed: " + e);
        }
    }
}
