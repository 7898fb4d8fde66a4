package org.mscclj.cli.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Opens communicators of two ranks and uses them, and prints the threads of rank 0's process with one communicator and
 * with all. Argument: the number of communicators. With a rank in the environment it is this rank, otherwise two ranks
 * are threads of this JVM.
 */
public final class ThreadsOfCommunicators {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ELEMENTS = 1000;

    /** Threads of pools for short tasks, which end when they are idle, and the workers of all cores but one. */
    private static final Predicate<String> LEFT_OUT = name -> name.matches(
            "mscclj-(control-(\\d+|later)|kernel-warm-up|driver-question-\\d+|host-worker-[1-9]\\d*|.*-rank-\\d+)");

    private ThreadsOfCommunicators() {}

    public static void main(String[] arguments) {
        int communicators = Integer.parseInt(arguments[0]);
        if (System.getenv("MSCCLJ_RANK") != null) {
            try (Communicator communicator =
                    Communicator.open(CommunicatorOptions.fromEnvironment().timeout(TIMEOUT))) {
                open(communicator, communicators);
            }
        } else {
            try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(TIMEOUT))) {
                group.run(communicator -> open(communicator, communicators));
            }
        }
    }

    private static void open(Communicator first, int communicators) {
        use(first);
        print("with 1: ", first);
        List<Communicator> more = new ArrayList<>();
        for (int i = 1; i < communicators; i++) {
            more.add(first.split(List.of(0, 1), "split-" + i).orElseThrow());
            use(more.getLast());
        }
        print("with " + communicators + ": ", first);
        more.forEach(Communicator::close);
    }

    private static void use(Communicator communicator) {
        try (DeviceBuffer data = communicator.allocate((long) ELEMENTS * Float.BYTES)) {
            communicator
                    .allReduce(data, data, DataType.FLOAT32, ReduceOp.SUM)
                    .toCompletableFuture()
                    .join();
        }
    }

    private static void print(String before, Communicator communicator) {
        communicator.barrier();
        if (communicator.rank() == 0) {
            System.out.println(before + String.join(" ", names()));
        }
        communicator.barrier();
    }

    private static List<String> names() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("mscclj-"))
                .filter(LEFT_OUT.negate())
                .sorted()
                .toList();
    }
}
