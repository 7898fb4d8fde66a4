package org.mscclj.cli.faults;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A rank in a child process, which runs all kinds of calls until a rank is lost, and prints which and when. Arguments:
 * the seed of the calls, equal on all ranks; the timeout in milliseconds; and the time in milliseconds after which this
 * rank halts its VM, or nothing.
 */
public final class CollectivesUntilLost {
    private static final DataType TYPE = DataType.FLOAT32;
    private static final int CALLS = 20;

    private final Communicator communicator;
    private final SplittableRandom random;

    private CollectivesUntilLost(Communicator communicator, long seed) {
        this.communicator = communicator;
        this.random = new SplittableRandom(seed);
    }

    public static void main(String[] arguments) {
        CommunicatorOptions options =
                CommunicatorOptions.fromEnvironment().timeout(Duration.ofMillis(Long.parseLong(arguments[1])));
        say("opening at " + System.currentTimeMillis());
        try (Communicator communicator = Communicator.open(options)) {
            try {
                say("opened");
                if (arguments.length > 2) {
                    Thread.ofPlatform().daemon().start(() -> haltAfter(Long.parseLong(arguments[2])));
                }
                new CollectivesUntilLost(communicator, Long.parseLong(arguments[0])).run();
            } catch (RankLostException e) {
                lost(e);
            }
        } catch (RankLostException e) { // during set-up
            lost(e);
        } catch (OperationTimeoutException e) {
            say("missing " + e.missingRanks() + " at " + System.currentTimeMillis() + ": " + e.getMessage());
        }
        say("closed at " + System.currentTimeMillis());
    }

    private static void lost(RankLostException e) {
        say("lost " + e.rank() + " at " + System.currentTimeMillis() + ": " + e.getMessage());
        for (Throwable second : e.getSuppressed()) {
            second.printStackTrace();
            say("suppressed " + second);
        }
    }

    private static void haltAfter(long millis) {
        LockSupport.parkNanos(millis * 1_000_000);
        say("halting at " + System.currentTimeMillis());
        Runtime.getRuntime().halt(3);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void run() {
        long bytes = 4L << 10;
        try (DeviceBuffer input = communicator.allocate(bytes);
                DeviceBuffer output = communicator.allocate(bytes);
                PreparedOperation steady = communicator.prepare(
                        CollectiveCall.allReduce(input, output, TYPE).op(ReduceOp.SUM))) {
            communicator.barrier();
            say("running");
            while (true) {
                switch (random.nextInt(6)) {
                    case 0 -> run(steady);
                    case 1 -> prepared(elements());
                    case 2 -> plain(elements());
                    case 3 -> split();
                    case 4 -> unsynchronized(steady);
                    default -> communicator.barrier();
                }
            }
        }
    }

    private long elements() {
        return random.nextInt(8) == 0 ? 500_000 + random.nextInt(500_000) : 1 + random.nextInt(20_000);
    }

    private void run(PreparedOperation operation) {
        for (int call = 0; call < CALLS; call++) {
            operation.run(communicator.timeout());
        }
    }

    /** Many launches in flight. */
    private void unsynchronized(PreparedOperation operation) {
        for (int call = 0; call < CALLS; call++) {
            operation.launch();
        }
        operation.join(communicator.timeout());
    }

    private void prepared(long elements) {
        try (DeviceBuffer buffer = communicator.allocate(elements * TYPE.byteSize());
                PreparedOperation operation = communicator.prepare(
                        CollectiveCall.allReduce(buffer, TYPE).op(ReduceOp.MAX))) {
            run(operation);
        }
    }

    private void plain(long elements) {
        long bytes = elements * TYPE.byteSize();
        try (DeviceBuffer input = communicator.device().allocate(bytes);
                DeviceBuffer output = communicator.device().allocate(bytes * communicator.size())) {
            for (int call = 0; call < 3; call++) {
                communicator
                        .allReduce(input, output.slice(0, bytes), TYPE, ReduceOp.SUM)
                        .join();
                communicator.allGather(input, output, TYPE).join();
            }
        }
    }

    /**
     * A child of all ranks but one. Its ranks have different numbers; the loss is reported with those of the parent.
     */
    private void split() {
        int without = random.nextInt(communicator.size());
        List<Integer> members = IntStream.range(0, communicator.size())
                .filter(rank -> rank != without)
                .boxed()
                .toList()
                .reversed();
        Optional<Communicator> child =
                communicator.split(communicator.rank() == without ? List.of() : members, "child");
        if (child.isEmpty()) {
            return;
        }
        try (Communicator open = child.get();
                DeviceBuffer buffer = open.allocate(TYPE.byteSize());
                PreparedOperation operation =
                        open.prepare(CollectiveCall.allReduce(buffer, TYPE).op(ReduceOp.SUM))) {
            run(operation);
        } catch (RankLostException e) {
            RankLostException inParent = new RankLostException(members.get(e.rank()), "child: " + e.getMessage());
            for (Throwable second : e.getSuppressed()) {
                inParent.addSuppressed(second);
            }
            throw inParent;
        } catch (
                AbortedException
                        e) { // another member had not completed the set-up when the parent ended, and has given the
            // child up
            communicator.barrier();
            throw e;
        }
    }
}
