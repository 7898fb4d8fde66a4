package org.mscclj.cli.debug;

import java.io.IOException;
import java.time.Duration;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

/**
 * A process that has had two ranks, of which one may have been late. Prints its process id when they are closed, and
 * stays alive.
 */
public final class LateOrHealthy {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private LateOrHealthy() {}

    /** Started by tests, with {@code late} or {@code healthy}. */
    public static void main(String[] arguments) throws IOException {
        boolean late = arguments[0].equals("late");
        try (LocalGroup group = LocalGroup.open(
                LocalGroupOptions.ranks(2).name("group").backend("host").timeout(LIMIT))) {
            group.run(communicator -> add(communicator, late));
        } catch (OperationTimeoutException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("closed " + ProcessHandle.current().pid());
        int _ = System.in.read();
    }

    private static void add(Communicator communicator, boolean late) {
        try (PreparedOperation sum =
                communicator.prepare(CollectiveCall.allReduce(communicator.allocate(64), DataType.INT32))) {
            if (!late || communicator.rank() == 0) {
                sum.launch();
                sum.join(LIMIT);
            }
        }
    }
}
