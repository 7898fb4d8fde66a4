package org.mscclj.runtime.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Message;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryNeeds;
import org.mscclj.spi.multicast.MulticastProvider;

/** The steps in which ranks set multicast groups up, taken by all ranks in turn. */
class MulticastSetUpTest {
    private static final int RANKS = 3;
    private static final int BLOCKS = 2;
    private static final long BYTES = 5000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Plan PLAN = ShippedProgram.MULTICAST.plan(
            ProgramSpec.of(Collective.ALLREDUCE, RANKS).blocks(BLOCKS));
    private static final BackendDevice DEVICE = unused(BackendDevice.class);
    private static final DeviceBuffer SCRATCH = unused(DeviceBuffer.class);

    private static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            throw new AssertionError(method + " is called");
        }));
    }

    private static List<MulticastSetUp> ranks(IntFunction<List<MulticastProvider>> providers) {
        return IntStream.range(0, RANKS)
                .mapToObj(rank -> new MulticastSetUp(
                        PLAN, rank, EnumSet.of(BufferType.SCRATCH), DEVICE, TIMEOUT, () -> providers.apply(rank)))
                .toList();
    }

    private static List<Message> all(List<MulticastSetUp> ranks, Function<MulticastSetUp, byte[]> step) {
        return ranks.stream().map(step).map(Message::new).toList();
    }

    private static void run(List<MulticastSetUp> ranks) {
        ranks.forEach(MulticastSetUp::memoryNeeds);
        List<Message> described = all(ranks, rank -> rank.describe(_ -> BYTES, _ -> SCRATCH));
        ranks.forEach(rank -> rank.agreeOnGroups(described));
        List<Message> joined = all(ranks, MulticastSetUp::join);
        ranks.forEach(rank -> rank.agree(joined));
        List<Message> bound = all(ranks, rank -> rank.bind(_ -> SCRATCH));
        ranks.forEach(rank -> rank.agree(bound));
    }

    private static void requireEmulated(List<MulticastSetUp> ranks) {
        for (MulticastSetUp rank : ranks) {
            assertFalse(rank.isGoingOn());
            assertEquals(List.of(OptionalLong.empty(), OptionalLong.empty()), rank.addresses());
        }
    }

    @Test
    void allRanksJoinBeforeOneBinds() {
        RecordedMulticast provider = new RecordedMulticast();
        List<MulticastSetUp> ranks = ranks(_ -> List.of(provider));
        run(ranks);
        assertEquals(
                List.of(
                        "create for 3 of 8192", // rounded up to the granularity
                        "join 0",
                        "open 0",
                        "join 0",
                        "open 0",
                        "join 0",
                        "bind [0] to 0",
                        "bind [0] to 0",
                        "bind [0] to 0"),
                provider.calls());
        OptionalLong address = OptionalLong.of(RecordedMulticast.address(0, 0));
        for (MulticastSetUp rank : ranks) {
            assertTrue(rank.isGoingOn());
            assertEquals(List.of(address, address), rank.addresses(), "one for each block's channel");
            rank.close();
            rank.close();
        }
        assertEquals(0, provider.open());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "obstacle 0",
                "obstacle 2",
                "create 0",
                "open 0",
                "open 1",
                "join 0",
                "join 2",
                "bind 0",
                "bind 2"
            })
    void aStepThatFailsOnOneRankMakesAllEmulate(String call) {
        RecordedMulticast provider = new RecordedMulticast();
        provider.failAt(call);
        List<MulticastSetUp> ranks = ranks(_ -> List.of(provider));
        run(ranks);
        requireEmulated(ranks);
        assertEquals(0, provider.open(), "all groups are closed");
    }

    @Test
    void ranksNeedTheSameProvider() {
        RecordedMulticast one = new RecordedMulticast();
        for (RecordedMulticast other : List.of(
                new RecordedMulticast("other", new MemoryNeeds(4096, "descriptor")),
                new RecordedMulticast("recorded", new MemoryNeeds(8192, "descriptor")))) {
            List<MulticastSetUp> ranks = ranks(rank -> List.of(rank == 1 ? other : one));
            run(ranks);
            requireEmulated(ranks);
            assertEquals(0, one.open() + other.open());
        }
    }

    @Test
    void withoutAProviderNothingIsTried() {
        List<MulticastSetUp> ranks = ranks(_ -> List.of());
        run(ranks);
        requireEmulated(ranks);
    }

    @Test
    void plansWithoutSwitchChannelsContributeNothing() {
        Plan plan = ShippedProgram.SCRATCH.plan(ProgramSpec.of(Collective.ALLREDUCE, RANKS));
        MulticastSetUp rank = new MulticastSetUp(plan, 0, EnumSet.of(BufferType.SCRATCH), DEVICE, TIMEOUT, () -> {
            throw new AssertionError("providers are asked");
        });
        assertEquals(MemoryNeeds.NONE, rank.memoryNeeds());
        assertEquals(0, rank.describe(_ -> BYTES, _ -> SCRATCH).length);
        assertFalse(rank.isGoingOn());
        assertEquals(List.of(), rank.addresses());
    }
}
