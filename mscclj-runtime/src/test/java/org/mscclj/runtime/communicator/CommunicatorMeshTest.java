package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.mesh.CommunicatorMesh;
import org.mscclj.api.mesh.Dimension;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Grids of ranks. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommunicatorMeshTest {
    private static void run(int ranks, LocalGroup.RankTask task) {
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(ranks).backend("host").timeout(Duration.ofSeconds(30)))) {
            group.run(task);
        }
    }

    /** The sum over a communicator of what each rank has. */
    private static int sum(Communicator communicator, int own) {
        try (DeviceBuffer buffer = communicator.allocate(Integer.BYTES)) {
            buffer.segment().set(ValueLayout.JAVA_INT, 0, own);
            communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
            return buffer.segment().get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Test
    void twoByTwo() {
        run(4, world -> {
            int rank = world.rank();
            try (CommunicatorMesh mesh =
                    CommunicatorMesh.open(world, new Dimension("data", 2), new Dimension("tensor", 2))) {
                assertSame(world, mesh.whole());
                assertEquals(rank / 2, mesh.rank("data"));
                assertEquals(rank % 2, mesh.rank("tensor"));
                assertEquals(mesh.rank("data"), mesh.along("data").rank());
                assertEquals("local.tensor", mesh.along("tensor").name());
                assertEquals(1 << rank | 1 << (rank ^ 2), sum(mesh.along("data"), 1 << rank));
                assertEquals(1 << rank | 1 << (rank ^ 1), sum(mesh.along("tensor"), 1 << rank));
            }
            assertEquals(15, sum(world, 1 << rank));
        });
    }

    @Test
    void twoByThree() {
        run(6, world -> {
            int rank = world.rank();
            try (CommunicatorMesh mesh =
                    CommunicatorMesh.open(world, new Dimension("data", 2), new Dimension("tensor", 3))) {
                assertEquals(List.of(new Dimension("data", 2), new Dimension("tensor", 3)), mesh.dimensions());
                assertEquals(List.of(2, 3), List.of(mesh.size("data"), mesh.size("tensor")));
                assertEquals(rank % 3, mesh.along("tensor").rank());
                assertEquals(1 << rank | 1 << (rank + 3) % 6, sum(mesh.along("data"), 1 << rank));
                assertEquals(7 << (rank / 3 * 3), sum(mesh.along("tensor"), 1 << rank));
            }
        });
    }

    @Test
    void oneDimensionAndOneRank() {
        run(3, world -> {
            try (CommunicatorMesh mesh =
                    CommunicatorMesh.open(world, new Dimension("all", 3), new Dimension("none", 1))) {
                assertEquals(7, sum(mesh.along("all"), 1 << world.rank()));
                assertEquals(1 << world.rank(), sum(mesh.along("none"), 1 << world.rank()));
            }
        });
    }

    @Test
    void subMeshes() {
        run(8, world -> {
            int rank = world.rank();
            CommunicatorMesh mesh = CommunicatorMesh.open(
                    world, new Dimension("pipeline", 2), new Dimension("data", 2), new Dimension("tensor", 2));
            CommunicatorMesh sub = mesh.sub("tensor", "pipeline");
            assertEquals(List.of(new Dimension("pipeline", 2), new Dimension("tensor", 2)), sub.dimensions());
            assertEquals(4, sub.whole().size());
            assertEquals(
                    2 * mesh.rank("pipeline") + mesh.rank("tensor"), sub.whole().rank());
            int others = rank & 2;
            assertEquals(0x33 << others, sum(sub.whole(), 1 << rank));
            assertEquals(1 << rank | 1 << (rank ^ 4), sum(sub.along("pipeline"), 1 << rank));
            mesh.close();
            assertThrows(InvalidArgumentException.class, () -> sub.whole().barrier());
            assertThrows(
                    InvalidArgumentException.class, () -> mesh.along("data").barrier());
            mesh.close();
            world.barrier();
        });
    }

    private static void assertRefused(String words, Runnable call) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, call::run);
        assertTrue(String.valueOf(e.getMessage()).contains(words), e::getMessage);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertRefused("not blank", () -> new Dimension(" ", 2));
        assertRefused("size of dimension data is 0", () -> new Dimension("data", 0));
        run(2, world -> {
            Dimension two = new Dimension("two", 2);
            assertRefused("[two 2, three 3]", () -> CommunicatorMesh.open(world, two, new Dimension("three", 3)));
            assertRefused("make up the 2 ranks of communicator local", () -> CommunicatorMesh.open(world));
            assertRefused("a name of its own", () -> CommunicatorMesh.open(world, two, new Dimension("two", 1)));
            assertRefused(
                    "dimensions of a mesh: ranks [0]: sizes [1, 2]; ranks [1]: sizes [2, 1]; allowed: the same",
                    () -> CommunicatorMesh.open(
                            world, new Dimension("one", world.rank() + 1), new Dimension("other", 2 - world.rank())));
            try (CommunicatorMesh mesh = CommunicatorMesh.open(world, two)) {
                assertRefused("one of [two]", () -> mesh.along("three"));
                assertRefused("one of [two]", () -> mesh.rank("three"));
                assertRefused("one of [two]", () -> mesh.sub("three"));
                assertRefused("one or more of [two 2]", mesh::sub);
                world.barrier();
            }
        });
    }

    /** A rank that refused by itself would leave the others waiting. */
    @Test
    void whatOneRankGetsWrongIsRefusedOnAll() {
        run(4, world -> {
            boolean wrong = world.rank() == 1;
            Dimension two = new Dimension("two", 2);
            Dimension other = new Dimension("other", 2);
            assertRefused(
                    "[two 2, three 3]",
                    () -> CommunicatorMesh.open(world, two, wrong ? new Dimension("three", 3) : other));
            assertRefused(
                    "ranks [1]: sizes [2, 2, 1]",
                    () -> CommunicatorMesh.open(
                            world,
                            wrong
                                    ? new Dimension[] {two, other, new Dimension("one", 1)}
                                    : new Dimension[] {two, other}));
            try (CommunicatorMesh mesh = CommunicatorMesh.open(world, two, other)) {
                assertRefused("one of [two, other]", () -> mesh.sub(wrong ? "third" : "two"));
                assertRefused("ranks [1]: positions [1]", () -> mesh.sub(wrong ? "other" : "two"));
                assertEquals(2, mesh.sub("two").whole().size());
            }
            assertEquals(15, sum(world, 1 << world.rank()));
        });
    }
}
