package org.mscclj.plan.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * The limits of MSCCL++'s executor, which does not check them: a larger plan writes beyond its arrays. The engines of
 * this project have no such limits.
 */
public final class MscclppLimits {
    /** Greatest number of channels of a port operation or of a synchronising operation, and of semaphores. */
    public static final int IDS_OF_AN_OPERATION = 8;

    /** Greatest number of sources, and of destinations, of an operation. */
    public static final int REFERENCES_OF_AN_OPERATION = 10;

    private static final int CHANNELS_OF_A_BLOCK = 16;
    private static final int OPERATIONS_OF_A_BLOCK = 64;
    private static final int BARRIERS_OF_A_RANK = 16;

    private MscclppLimits() {}

    /** Describes the first place at which a valid plan exceeds a limit; empty if it exceeds none. */
    public static Optional<String> exceeded(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> Stream.concat(
                        rank.threadBlocks().stream().flatMap(block -> exceeded(rank, block).stream()),
                        barriers(rank).stream()))
                .findFirst();
    }

    private static Optional<String> exceeded(RankPlan rank, ThreadBlock block) {
        String site = "rank " + rank.rank() + ", block " + block.id();
        List<Operation> operations = flattened(block);
        return more(site, "operations", operations.size(), OPERATIONS_OF_A_BLOCK)
                .or(() -> more(site, "memory channels", block.memoryChannels().size(), CHANNELS_OF_A_BLOCK))
                .or(() -> more(site, "port channels", block.portChannels().size(), CHANNELS_OF_A_BLOCK))
                .or(() -> more(site, "switch channels", block.switchChannels().size(), CHANNELS_OF_A_BLOCK))
                .or(() -> more(site, "remote buffers", block.memoryBuffers().size(), CHANNELS_OF_A_BLOCK))
                .or(() -> more(site, "remote buffers", block.portBuffers().size(), CHANNELS_OF_A_BLOCK))
                .or(() -> operations.stream()
                        .flatMap(operation -> exceeded(site, operation).stream())
                        .findFirst());
    }

    /** All operations, including pipelines and their inner operations. */
    private static List<Operation> flattened(ThreadBlock block) {
        List<Operation> all = new ArrayList<>();
        flatten(block.operations(), all);
        return all;
    }

    private static void flatten(List<Operation> operations, List<Operation> all) {
        for (Operation operation : operations) {
            all.add(operation);
            if (operation instanceof Operation.Pipeline pipeline) {
                flatten(pipeline.operations(), all);
            }
        }
    }

    private static Optional<String> exceeded(String site, Operation operation) {
        int ids = IDS_OF_AN_OPERATION;
        int references = REFERENCES_OF_AN_OPERATION;
        String where = site + ", operation " + operation.label();
        return switch (operation) {
            case Operation.Signal signal ->
                more(where, "channels", signal.channelIds().size(), ids);
            case Operation.Wait wait ->
                more(where, "channels", wait.channelIds().size(), ids);
            case Operation.Flush flush ->
                more(where, "channels", flush.channelIds().size(), ids);
            case Operation.SemaphoreAcquire acquire ->
                more(where, "semaphores", acquire.semaphoreIds().size(), ids);
            case Operation.SemaphoreRelease release ->
                more(where, "semaphores", release.semaphoreIds().size(), ids);
            case Operation.Data data ->
                more(where, "sources", data.sources().size(), references)
                        .or(() ->
                                more(where, "destinations", data.destinations().size(), references))
                        .or(() -> data.channelType().equals(Optional.of(ChannelType.PORT))
                                ? more(where, "channels", data.channelIds().size(), ids)
                                : Optional.empty())
                        .or(() -> plainPlace(where, data));
            default -> Optional.empty();
        };
    }

    private static Optional<String> plainPlace(String where, Operation.Data data) {
        return data.packetsBeforePlain() == data.sources().size() - 1
                ? Optional.empty()
                : Optional.of(where + " has its plain operand at place " + data.packetsBeforePlain()
                        + "; MSCCL++ adds it last");
    }

    private static Optional<String> barriers(RankPlan rank) {
        int barriers = rank.threadBlocks().stream()
                .flatMap(block -> flattened(block).stream())
                .mapToInt(operation -> operation instanceof Operation.Barrier barrier ? barrier.id() + 1 : 0)
                .max()
                .orElse(0);
        return more("rank " + rank.rank(), "barriers", barriers, BARRIERS_OF_A_RANK);
    }

    private static Optional<String> more(String site, String what, int count, int most) {
        return count <= most
                ? Optional.empty()
                : Optional.of(site + " has " + count + " " + what + "; MSCCL++ supports " + most);
    }
}
