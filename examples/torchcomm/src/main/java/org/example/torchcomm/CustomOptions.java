package org.example.torchcomm;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;

/** Options: a store by which ranks find each other, a name, time limits, and hints. */
public final class CustomOptions {
    private CustomOptions() {}

    /** One rank; the launcher's environment says which. The argument is a folder that all ranks share. */
    public static void main(String[] arguments) {
        if (arguments.length < 1) {
            System.err.println("usage: CustomOptions FOLDER");
            System.exit(2);
        }
        CommunicatorOptions launched = CommunicatorOptions.fromEnvironment();
        try (Store store = Stores.file(Path.of(arguments[0]));
                Communicator communicator =
                        Communicator.open(CommunicatorOptions.rank(launched.rank(), launched.size())
                                .store(store)
                                .name("with options")
                                .timeout(Duration.ofSeconds(60)) // for all that is waited for
                                .hint("torchcomm::ncclx::high_priority_stream", "true")
                                .strictHints(true)); // a hint that means nothing is an exception
                DeviceBuffer buffer = communicator.allocate(Integer.BYTES)) {
            int[] number = {communicator.rank() + 1};
            buffer.copyFrom(MemorySegment.ofArray(number));
            communicator
                    .execute(CollectiveCall.allReduce(buffer, DataType.INT32).timeout(Duration.ofSeconds(10)))
                    .join();
            buffer.copyTo(MemorySegment.ofArray(number));
            System.out.println(
                    communicator.name() + ": rank " + communicator.rank() + " has " + number[0] + ", and waits for "
                            + communicator.timeout().toSeconds() + " s at most");
        }
    }
}
