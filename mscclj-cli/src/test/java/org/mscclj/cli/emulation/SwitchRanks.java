package org.mscclj.cli.emulation;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;

/**
 * Ranks on emulated GPUs that sum by programs with switch channels. First argument: {@code group} for ranks that are
 * threads; {@code process} if this process is one of the ranks. Second argument: the number of ranks. Third: programs
 * with commas. Prints {@code right}, or what a call throws; then how many multicast accesses there were, and what the
 * driver still has of this process.
 */
@SuppressWarnings("restricted") // calls what only tests have
public final class SwitchRanks {
    private static final int COUNT = 5_000;
    private static final int LAUNCHES = 3;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Handles, addresses, mappings and bindings, among what the stand-in counts. */
    private static final List<Integer> KINDS = List.of(1, 2, 3, 12);

    private SwitchRanks() {}

    public static void main(String[] arguments) {
        int ranks = Integer.parseInt(arguments[1]);
        List<String> programs = List.of(arguments[2].split(","));
        try {
            if (arguments[0].equals("group")) {
                try (LocalGroup group =
                        LocalGroup.open(LocalGroupOptions.ranks(ranks).backend("cuda"))) {
                    group.run(communicator -> run(communicator, programs));
                }
            } else {
                try (Communicator communicator = Communicator.open(
                        CommunicatorOptions.fromEnvironment().backend("cuda").timeout(LIMIT))) {
                    run(communicator, programs);
                }
            }
            System.out.println("right");
        } catch (MsccljException e) {
            System.out.println("failed: " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        System.out.println("multicast accesses: " + count("standin_multimem"));
        long end = System.nanoTime() + LIMIT.toNanos();
        while (KINDS.stream().anyMatch(kind -> live(kind) > 0) && System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE_NANOS); // until the last member has left
        }
        System.out.println(
                "left: " + KINDS.stream().map(kind -> Long.toString(live(kind))).collect(Collectors.joining(" ")));
    }

    private static void run(Communicator communicator, List<String> programs) {
        int rank = communicator.rank();
        int ranks = communicator.size();
        try (DeviceBuffer buffer = communicator.allocate((long) COUNT * Integer.BYTES)) {
            for (String program : programs) {
                for (int launch = 0; launch < LAUNCHES; launch++) {
                    int added = launch + rank;
                    IntBuffers.set(buffer, i -> added + i);
                    communicator
                            .execute(CollectiveCall.allReduce(buffer, DataType.INT32)
                                    .algorithm(program))
                            .join(LIMIT);
                    int all = ranks * launch + ranks * (ranks - 1) / 2;
                    IntBuffers.require(program + " " + launch, buffer, i -> all + ranks * i);
                }
            }
            communicator.barrier();
        }
    }

    private static SymbolLookup driver() {
        return SymbolLookup.libraryLookup(Path.of(System.getProperty("mscclj.cuda.library")), Arena.global());
    }

    private static long count(String function) {
        try {
            return (long) Linker.nativeLinker()
                    .downcallHandle(driver().findOrThrow(function), FunctionDescriptor.of(JAVA_LONG))
                    .invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static long live(int kind) {
        try {
            return (long) Linker.nativeLinker()
                    .downcallHandle(driver().findOrThrow("standin_live"), FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
                    .invokeExact(kind);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
