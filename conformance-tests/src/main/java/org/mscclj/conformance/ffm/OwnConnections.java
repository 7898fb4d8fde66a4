package org.mscclj.conformance.ffm;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.api.error.UnsupportedException;

/** The TCP connections of this process, whoever has made them, as Linux lists them; and the function of the C library that ends one under its owner. */
public final class OwnConnections {
    private static final Path OWN = Path.of("/proc/self");
    private static final String LINK_START = "socket:[";

    /** In a line of {@code /proc/net/tcp}, split at blanks. */
    private static final int STATE = 3;

    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";

    private static final int NOTHING_IS_RECEIVED = 0;
    private static final int NOTHING_IS_SENT = 1;

    private OwnConnections() {}

    /** Whether they can be cut. */
    public static boolean canBeCut() {
        try {
            shutdown();
            return Files.isReadable(OWN.resolve("net/tcp"));
        } catch (UnsupportedException | IllegalCallerException e) {
            return false; // another system, or a VM that allows this module no native code
        }
    }

    /**
     * Cuts all of them: first nothing leaves any more, so that nobody hears from this process of the cuts that it sees; then nothing comes in.
     *
     * @throws UnsupportedException if there are none, or they cannot be listed
     */
    public static void cut() {
        MethodHandle shutdown = shutdown();
        List<Integer> descriptors = descriptors();
        if (descriptors.isEmpty()) {
            throw new UnsupportedException("this process has no TCP connection that could be cut");
        }
        for (int how : new int[] {NOTHING_IS_SENT, NOTHING_IS_RECEIVED}) {
            for (int descriptor : descriptors) {
                try {
                    int _ = (int) shutdown.invokeExact(descriptor, how); // it may have ended by itself
                } catch (Throwable e) {
                    throw new AssertionError("shutdown of a descriptor throws nothing", e);
                }
            }
        }
    }

    @SuppressWarnings("restricted") // Java does not end the connections of others
    private static MethodHandle shutdown() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup()
                        .find("shutdown")
                        .orElseThrow(() -> new UnsupportedException("the C library has no shutdown")),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
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
                    if (Files.isSymbolicLink(descriptor)
                            && connections.contains(
                                    Files.readSymbolicLink(descriptor).toString())) {
                        descriptors.add(
                                Integer.parseInt(descriptor.getFileName().toString()));
                    }
                }
            }
            return descriptors;
        } catch (IOException e) {
            throw new UnsupportedException("the connections of this process cannot be listed: " + e);
        }
    }
}
