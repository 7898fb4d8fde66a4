package org.mscclj.plan.validation;

import java.util.List;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/** Checks one thread block: its lists of channels and remote buffers, and its operations. */
final class BlockValidator {
    private final RankPlan rank;
    private final ThreadBlock block;
    private final FaultSite blockSite;
    private final BarrierRules barriers;
    private final OperandRules operands;

    BlockValidator(Plan plan, RankPlan rank, ThreadBlock block, FaultSite blockSite, BarrierRules barriers) {
        this.rank = rank;
        this.block = block;
        this.blockSite = blockSite;
        this.barriers = barriers;
        this.operands = new OperandRules(plan, rank, block);
    }

    void validate() {
        checkChannels(
                "memory channel_ids",
                block.memoryChannels(),
                rank.memoryChannelPeers().size());
        checkChannels(
                "port channel_ids",
                block.portChannels(),
                rank.portChannelPeers().size());
        checkChannels(
                "switch channel_ids",
                block.switchChannels(),
                rank.switchGroups().size());
        checkBuffers(ChannelType.MEMORY);
        checkBuffers(ChannelType.PORT);
        for (int i = 0; i < block.operations().size(); i++) {
            Operation operation = block.operations().get(i);
            FaultSite site = blockSite.operation(i, operation);
            if (operation instanceof Operation.Pipeline pipeline) {
                checkPipeline(pipeline, site);
            } else {
                check(operation, site, false);
            }
        }
    }

    private void checkChannels(String key, List<Integer> ids, int count) {
        for (int i = 0; i < ids.size(); i++) {
            blockSite.requireIndex(new ListItem(key, i), ids.get(i), count, "channels of the rank");
        }
    }

    private void checkBuffers(ChannelType type) {
        List<Integer> ids = block.remoteBuffers(type);
        String list = type.label() + " remote_buffer_ids";
        for (int i = 0; i < ids.size(); i++) {
            ListItem key = new ListItem(list, i);
            blockSite.requireIndex(key, ids.get(i), rank.remoteBuffers().size(), "remote buffers of the rank");
            List<ChannelType> declared = rank.remoteBuffers().get(ids.get(i)).accessTypes();
            if (!declared.contains(type)) {
                throw blockSite.fault(
                        key,
                        ids.get(i),
                        "remote buffers whose access_channel_types contain " + type.label() + "; this one has "
                                + declared.stream().map(ChannelType::label).toList());
            }
        }
    }

    private void checkPipeline(Operation.Pipeline pipeline, FaultSite site) {
        if (pipeline.unitSize() < 1 || pipeline.unitSize() % Operation.Pipeline.UNIT != 0) {
            throw site.fault(
                    "iter_context.unit_size", pipeline.unitSize(), "a positive multiple of " + Operation.Pipeline.UNIT);
        }
        if (pipeline.chunks() < 0) {
            throw site.fault("iter_context.num_chunks", pipeline.chunks(), "0 or more");
        }
        for (int i = 0; i < pipeline.operations().size(); i++) {
            Operation inner = pipeline.operations().get(i);
            check(inner, site.inner(i, inner), true);
        }
    }

    private void check(Operation operation, FaultSite site, boolean insidePipeline) {
        switch (operation) {
            case Operation.Nop() -> {}
            case Operation.Barrier barrier -> barriers.use(block.id(), barrier, insidePipeline, site);
            case Operation.Signal(var type, var ids, var _) -> checkSync(type, ids, site);
            case Operation.Wait(var type, var ids, var _) -> checkSync(type, ids, site);
            case Operation.Flush(var type, var ids) -> {
                if (type != ChannelType.PORT) {
                    throw site.fault("channel_type", type.label(), "port");
                }
                checkSync(type, ids, site);
            }
            case Operation.SemaphoreAcquire(var ids) -> checkSemaphores(ids, site);
            case Operation.SemaphoreRelease(var ids) -> checkSemaphores(ids, site);
            case Operation.Data data -> operands.check(data, site);
            case Operation.Pipeline _ -> throw site.fault("a pipeline stands inside a pipeline; pipelines do not nest");
        }
    }

    private void checkSync(ChannelType type, List<Integer> ids, FaultSite site) {
        if (type == ChannelType.SWITCH) {
            throw site.fault("channel_type", "switch", "memory, port");
        }
        checkIds("channel_ids", ids, block.channels(type).size(), type.label() + " channels of the block", site);
    }

    private void checkSemaphores(List<Integer> ids, FaultSite site) {
        checkIds("semaphore_ids", ids, rank.semaphoreInitialValues().size(), "semaphores of the rank", site);
    }

    private static void checkIds(String key, List<Integer> ids, int count, String what, FaultSite site) {
        if (ids.isEmpty()) {
            throw site.fault(key, "empty", "at least one");
        }
        for (int i = 0; i < ids.size(); i++) {
            site.requireIndex(new ListItem(key, i), ids.get(i), count, what);
        }
    }
}
