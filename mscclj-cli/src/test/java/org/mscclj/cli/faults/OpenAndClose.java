package org.mscclj.cli.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Opens, uses and closes communicators in sequence, and prints the resources of the JVM at intervals. Arguments: the
 * number of communicators, and the interval. With a rank in the environment it is this rank, otherwise two ranks are
 * threads of this JVM.
 */
public final class OpenAndClose {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ELEMENTS = 10_000;
    private static final DataType TYPE = DataType.INT32;

    private OpenAndClose() {}

    public static void main(String[] arguments) throws IOException {
        int times = Integer.parseInt(arguments[0]);
        int each = Integer.parseInt(arguments[1]);
        boolean isRank = System.getenv("MSCCLJ_RANK") != null;
        for (int time = 1; time <= times; time++) {
            if (isRank) {
                try (Communicator communicator =
                        Communicator.open(CommunicatorOptions.fromEnvironment().timeout(TIMEOUT))) {
                    use(communicator);
                }
            } else {
                try (LocalGroup group =
                        LocalGroup.open(LocalGroupOptions.ranks(2).timeout(TIMEOUT))) {
                    group.run(OpenAndClose::use);
                }
            }
            if (time % each == 0) {
                System.out.println("after " + time + ": " + JvmStatus.now().text());
            }
        }
    }

    private static void use(Communicator communicator) {
        long bytes = (long) ELEMENTS * TYPE.byteSize();
        try (DeviceBuffer registered = communicator.allocate(bytes);
                DeviceBuffer plain = communicator.device().allocate(bytes);
                PreparedOperation operation = communicator.prepare(
                        CollectiveCall.allReduce(registered, TYPE).op(ReduceOp.SUM))) {
            operation.run(TIMEOUT);
            communicator.allReduce(plain, plain, TYPE, ReduceOp.SUM).join();
        }
        try (Communicator child = communicator.split(List.of(1, 0), "child").orElseThrow()) {
            child.barrier();
        }
        communicator.barrier();
    }
}
