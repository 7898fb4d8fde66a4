package org.mscclj.runtime.process;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.store.FailingStore;

/**
 * A rank in a process of its own. Arguments: the store's folder, this process's bit, and, for a newcomer, its rank and
 * its quorum. Its input has a quorum, as its id and its members, in each line; it goes on by them until the input ends.
 */
public final class GoOnWithNewcomers {
    /** Before a quorum whose rank 0 does not come. */
    private static final String IN_VAIN = "in vain ";

    private GoOnWithNewcomers() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader quorums = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Store store = Stores.file(Path.of(arguments[0]))) {
            Communicator communicator = arguments.length == 2
                    ? Communicator.open(CommunicatorOptions.fromEnvironment().store(store))
                    : Communicator.open(
                            CommunicatorOptions.newcomer(quorum(arguments[3], store), Integer.parseInt(arguments[2])));
            report(communicator, 1 << Integer.parseInt(arguments[1]));
            for (String line = quorums.readLine(); line != null; line = quorums.readLine()) {
                if (line.equals("await loss")) {
                    awaitLoss(communicator);
                } else if (line.startsWith(IN_VAIN)) {
                    waitInVain(communicator, line.substring(IN_VAIN.length()), store);
                } else {
                    Communicator next = communicator.reconfigure(quorum(line, store));
                    communicator.close();
                    communicator = next;
                    report(communicator, 1 << Integer.parseInt(arguments[1]));
                }
            }
            communicator.close();
        }
    }

    /** For example "again 0,2,-1". */
    private static Quorum quorum(String text, Store store) {
        String[] words = text.split(" ", 2);
        List<Integer> members =
                Arrays.stream(words[1].split(",")).map(Integer::valueOf).toList();
        return Quorum.of(words[0], members).store(store);
    }

    private static void report(Communicator communicator, int bit) {
        try (DeviceBuffer buffer = communicator.allocate(Integer.BYTES)) {
            int[] value = {bit};
            buffer.copyFrom(MemorySegment.ofArray(value)); // the device may be a GPU
            communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
            buffer.copyTo(MemorySegment.ofArray(value));
            System.out.println("rank " + communicator.rank() + " of " + communicator.size() + ", sum " + value[0]);
        }
    }

    /** Says when the wait has begun, and whom it has found lost. */
    private static void waitInVain(Communicator communicator, String words, Store store) {
        AtomicBoolean begun = new AtomicBoolean();
        Store telling = new FailingStore(store, call -> {
            if (call.startsWith("find mscclj/quorum/") && begun.compareAndSet(false, true)) {
                System.out.println("waits");
            }
            return false;
        });
        try {
            communicator.reconfigure(quorum(words, telling)).close();
        } catch (RankLostException e) {
            System.out.println("lost " + e.rank() + " of the quorum");
        }
    }

    private static void awaitLoss(Communicator communicator) {
        try {
            while (true) {
                communicator.barrier();
            }
        } catch (RankLostException e) {
            System.out.println("lost " + e.rank());
        }
    }
}
