package org.mscclj.cli.emulation;

import java.time.Duration;
import java.util.List;
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
 * with commas. Fourth: whose memory the buffers are. Prints {@code right}, or what a call throws; then how many
 * multicast accesses there were, how many calls of the driver have failed because that was wanted, what the driver
 * still has of this process, and how many descriptors it has more than before.
 */
public final class SwitchRanks {
    /** The memory of buffers. */
    enum Memory {
        /** Of the communicator, which knows what multicast needs. */
        COMMUNICATOR,
        /** Of the communicator; the ranks wait until the memory is not bound any more after they have closed it. */
        RELEASED,
        /** Of the device, as far from the start of its block on all ranks. */
        EQUAL,
        /** Of the device, farther from the start of its block on each rank than on the one before. */
        UNEQUAL
    }

    private static final int COUNT = 5_000;
    private static final int LAUNCHES = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Bytes that lie before a buffer; buffers begin at multiples of 512. */
    private static final long BEFORE = 10_000;

    private final Communicator communicator;
    private final List<String> programs;
    private final Memory memory;

    private SwitchRanks(Communicator communicator, List<String> programs, Memory memory) {
        this.communicator = communicator;
        this.programs = programs;
        this.memory = memory;
    }

    public static void main(String[] arguments) {
        int ranks = Integer.parseInt(arguments[1]);
        List<String> programs = List.of(arguments[2].split(","));
        Memory memory = Memory.valueOf(arguments[3]);
        long descriptors = StandInDriver.descriptors();
        try {
            if (arguments[0].equals("group")) {
                try (LocalGroup group =
                        LocalGroup.open(LocalGroupOptions.ranks(ranks).backend("cuda"))) {
                    group.run(communicator -> new SwitchRanks(communicator, programs, memory).run());
                }
            } else {
                try (Communicator communicator = Communicator.open(
                        CommunicatorOptions.fromEnvironment().backend("cuda").timeout(LIMIT))) {
                    new SwitchRanks(communicator, programs, memory).run();
                }
            }
            System.out.println("right");
        } catch (MsccljException e) {
            System.out.println("failed: " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        System.out.println("multicast accesses: " + StandInDriver.accesses());
        System.out.println("failed calls: " + StandInDriver.failed());
        System.out.println(StandInDriver.left());
        StandInDriver.await(() -> StandInDriver.descriptors() <= descriptors);
        System.out.println("descriptors: " + (StandInDriver.descriptors() - descriptors));
    }

    private void run() {
        long bound;
        long before = BEFORE * (memory == Memory.UNEQUAL ? 1 + communicator.rank() : 1);
        try (DeviceBuffer _ = communicator.device().allocate(before);
                DeviceBuffer buffer = allocate()) {
            programs.forEach(program -> run(program, buffer));
            communicator.barrier();
            bound = StandInDriver.bindings();
        }
        if (memory == Memory.RELEASED) {
            StandInDriver.await(() -> StandInDriver.bindings() < bound);
            communicator.barrier();
        }
    }

    private DeviceBuffer allocate() {
        long bytes = (long) COUNT * Integer.BYTES;
        if (memory == Memory.COMMUNICATOR || memory == Memory.RELEASED) {
            return communicator.allocate(bytes);
        }
        DeviceBuffer buffer = communicator.device().allocate(bytes);
        communicator.register(buffer);
        return buffer;
    }

    private void run(String program, DeviceBuffer buffer) {
        int ranks = communicator.size();
        for (int launch = 0; launch < LAUNCHES; launch++) {
            int added = launch + communicator.rank();
            IntBuffers.set(buffer, i -> added + i);
            communicator
                    .execute(CollectiveCall.allReduce(buffer, DataType.INT32).algorithm(program))
                    .join(LIMIT);
            int all = ranks * launch + ranks * (ranks - 1) / 2;
            IntBuffers.require(program + " " + launch, buffer, i -> all + ranks * i);
        }
    }
}
