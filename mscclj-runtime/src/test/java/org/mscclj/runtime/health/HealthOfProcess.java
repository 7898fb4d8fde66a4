package org.mscclj.runtime.health;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Health;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

/** A process with groups of two ranks that end in several ways. Prints whether it is healthy after each. */
public final class HealthOfProcess {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private HealthOfProcess() {}

    /** Started by {@link HealthOfProcessTest}. */
    public static void main(String[] arguments) {
        say("at first", Health.ofProcess());
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2))) {
            group.abort("on purpose");
        }
        say("after an abort", Health.ofProcess());
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2))) {
            group.run(HealthOfProcess::refused);
        } catch (AbortedException | InvalidArgumentException _) {
            say("after a bad call", Health.ofProcess());
        }
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2))) {
            group.run(communicator -> {
                Communicator left = communicator.shrink(List.of());
                left.barrier();
                left.close();
            });
        }
        say("after shrinking", Health.ofProcess());
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(2).name("late").timeout(LIMIT))) {
            group.run(HealthOfProcess::late);
        } catch (OperationTimeoutException _) {
            say("after all is closed", Health.ofProcess());
        }
    }

    private static void refused(Communicator communicator) {
        CollectiveCall call = CollectiveCall.allReduce(communicator.allocate(64), DataType.INT32);
        PreparedOperation operation = communicator.prepare(call);
        operation.close();
        operation.launch();
    }

    private static void late(Communicator communicator) {
        PreparedOperation sum =
                communicator.prepare(CollectiveCall.allReduce(communicator.allocate(64), DataType.INT32));
        if (communicator.rank() == 0) {
            sum.launch();
            try {
                sum.join(LIMIT);
            } catch (OperationTimeoutException e) {
                say("when it is thrown", Health.ofProcess());
                throw e;
            }
        }
    }

    private static void say(String when, Health health) {
        System.out.println(when + ": " + health.healthy());
        health.faults()
                .forEach(fault -> System.out.println(
                        fault.communicator() + ", rank " + fault.rank() + ", " + fault.kind() + ": " + fault.reason()));
    }
}
