package org.mscclj.cli.emulation;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;

/**
 * Two ranks on emulated GPUs that call the fallback, where something fails. First argument: what fails. Second
 * argument: {@code group} for ranks that are threads; {@code process} if this process is one of the ranks. Each rank
 * prints what its call throws, and the process {@code ended} at last.
 */
@SuppressWarnings("restricted") // calls what only tests have
public final class FaultyRanks {
    private static final int SYSTEM_ERROR = 2;
    private static final int REMOTE_ERROR = 6;
    private static final int KILLED = 9;
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What the stand-in does in a call, in its order. */
    private enum Fault {
        NONE,
        FAIL,
        HANG,
        HANG_FOREVER,
        REPORT
    }

    private final Communicator communicator;
    private final boolean isProcess;

    private FaultyRanks(Communicator communicator, boolean isProcess) {
        this.communicator = communicator;
        this.isProcess = isProcess;
    }

    public static void main(String[] arguments) {
        Duration timeout = arguments[0].equals("alone") ? SHORT : LIMIT;
        if (arguments[1].equals("group")) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(timeout))) {
                group.run(communicator -> new FaultyRanks(communicator, false).run(arguments[0]));
            }
        } else {
            try (Communicator communicator = Communicator.open(
                    CommunicatorOptions.fromEnvironment().backend("cuda").timeout(timeout))) {
                new FaultyRanks(communicator, true).run(arguments[0]);
            }
        }
        System.out.println("ended");
    }

    private void run(String what) {
        boolean fails = communicator.rank() == 1;
        try {
            switch (what) {
                case "first" -> {
                    if (fails) {
                        inject("ncclAllReduce", Fault.FAIL, SYSTEM_ERROR);
                    }
                    communicator.barrier();
                    call();
                }
                case "later" -> {
                    call();
                    if (fails) {
                        inject("ncclAllReduce", Fault.REPORT, REMOTE_ERROR);
                    }
                    call();
                    call();
                }
                case "alone" -> {
                    call();
                    communicator.barrier();
                    if (fails) {
                        inject("ncclAllReduce", Fault.FAIL, SYSTEM_ERROR);
                    }
                    communicator.barrier();
                    call(); // throws on one rank, and waits on the other one
                }
                case "killed" -> {
                    call();
                    communicator.barrier();
                    if (fails) {
                        end();
                    } else {
                        call();
                    }
                }
                case "opening" -> {
                    if (fails) {
                        inject("ncclCommInitRankConfig", Fault.HANG_FOREVER, 0);
                        Thread.ofPlatform().daemon().start(this::endWhenItHangs);
                    }
                    call();
                }
                default -> call();
            }
            System.out.println("rank " + communicator.rank() + " has failed in nothing");
        } catch (MsccljException e) {
            System.out.println(
                    "rank " + communicator.rank() + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private void call() {
        try (DeviceBuffer buffer = communicator.allocate(64)) {
            communicator
                    .execute(CollectiveCall.allReduce(buffer, DataType.INT32).algorithm("nccl"))
                    .join();
        }
    }

    /** A process ends at once; a thread closes its communicator. */
    private void end() {
        if (isProcess) {
            Runtime.getRuntime().halt(KILLED);
        }
        communicator.close();
    }

    private void endWhenItHangs() {
        while (waiting() == 0) {
            Thread.onSpinWait();
        }
        if (isProcess) {
            end();
        }
        communicator.abort("the test is over");
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        SymbolLookup library = SymbolLookup.libraryLookup(System.getenv("MSCCLJ_NCCL_LIB"), Arena.global());
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), descriptor);
    }

    private static void inject(String called, Fault fault, int code) {
        try (Arena arena = Arena.ofConfined()) {
            function("stand_in_inject", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT))
                    .invokeExact(arena.allocateFrom(called), fault.ordinal(), code, 1);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The number of calls that wait. */
    private static long waiting() {
        int kind = 4;
        try {
            return (long) function("stand_in_live", FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
                    .invokeExact(kind);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
