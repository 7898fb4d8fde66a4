package org.mscclj.plan.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.ChannelType.PORT;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

class RelaxedSignalsTest {
    private static final Operation RELAXED = new Operation.Signal(MEMORY, List.of(0), true);

    private final PlanSketch plan = new PlanSketch("relaxed", Collective.TEST, Protocol.SIMPLE, false, 2);

    @Test
    void needsAReleaseAfterARemoteStore() {
        put(plan.block(0)).nop().add(RELAXED);
        assertEquals(List.of(OperationAddress.of(0, 0, 2)), found());
    }

    @Test
    void needsNoneAfterReadsAndLocalStores() {
        plan.block(0)
                .connect(MEMORY, 1)
                .local(DataKind.COPY, List.of(chunk(INPUT)), List.of(chunk(OUTPUT)))
                .nop()
                .add(RELAXED);
        assertEquals(List.of(), found());
    }

    @Test
    void needsNoneOnceAFullSignalHasReleased() {
        put(plan.block(0)).nop().signal(MEMORY, 1).nop().add(RELAXED);
        assertEquals(List.of(), found());
    }

    @Test
    void aSignalReleasesOnlyWhatANopOrdered() {
        put(plan.block(0)).signal(MEMORY, 1).nop().add(RELAXED);
        assertEquals(List.of(OperationAddress.of(0, 0, 3)), found());
    }

    @Test
    void followsStoresThroughBarriers() {
        Operation barrier = new Operation.Barrier(0, 2);
        put(plan.block(0)).add(barrier);
        plan.block(0).connect(MEMORY, 1).add(barrier).add(RELAXED);
        assertEquals(List.of(OperationAddress.of(0, 1, 1)), found());
    }

    @Test
    void followsReleasesThroughBarriers() {
        Operation barrier = new Operation.Barrier(0, 2);
        put(plan.block(0)).add(barrier).signal(MEMORY, 1).add(barrier);
        plan.block(0).connect(MEMORY, 1).add(barrier).add(barrier).add(RELAXED);
        assertEquals(List.of(), found());
    }

    @Test
    void followsStoresIntoTheNextIteration() {
        BlockSketch block = plan.block(0).connect(MEMORY, 1);
        ChunkRef target = block.of(1, INPUT, MEMORY, 0, 1);
        Operation put = new Operation.Data(
                DataKind.PUT,
                Optional.of(MEMORY),
                List.of(),
                List.of(chunk(INPUT)),
                List.of(target),
                BlockShare.WHOLE,
                Optional.empty());
        block.add(new Operation.Pipeline(16, 1, List.of(RELAXED, put, new Operation.Nop())));
        assertEquals(List.of(OperationAddress.inPipeline(0, 0, 0, 0)), found());
    }

    @Test
    void ignoresPacketsAndPortChannels() {
        BlockSketch block = plan.block(0).connect(MEMORY, 1);
        block.port(DataKind.PUT, 1, List.of(chunk(INPUT)), List.of(block.of(1, OUTPUT, PORT, 0, 1)))
                .nop()
                .add(RELAXED);
        assertEquals(List.of(), found());
    }

    @Test
    void endsIfBlocksDeadlock() {
        put(plan.block(0)).add(new Operation.Barrier(0, 2)).add(RELAXED);
        plan.block(0).add(new Operation.Nop());
        assertEquals(List.of(OperationAddress.of(0, 0, 2)), found());
    }

    private static BlockSketch put(BlockSketch block) {
        return block.connect(MEMORY, 1)
                .remote(DataKind.PUT, MEMORY, List.of(chunk(INPUT)), List.of(block.of(1, INPUT, MEMORY, 0, 1)));
    }

    private static ChunkRef chunk(BufferType buffer) {
        return new ChunkRef.Local(buffer, 0, 1);
    }

    private List<OperationAddress> found() {
        return RelaxedSignals.needingRelease(plan.build());
    }
}
