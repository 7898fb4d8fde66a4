package org.mscclj.gpu.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.FabricState;
import org.mscclj.gpu.memory.GpuMemory;
import org.mscclj.spi.device.MulticastObject;
import org.mscclj.spi.waiting.Backoff;

/** Multicast objects of the engine, on the stand-in for the driver; afterwards nothing of them is left. */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GpuMulticastTest {
    private static final long UNIT = 2 << 20;

    private Map<StandIn.Kind, Long> before;
    private DeviceContext first;
    private DeviceContext second;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        before = StandIn.live();
        first = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        second = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
    }

    @AfterEach
    void close() {
        second.close();
        first.close();
        while (!StandIn.live().equals(before) && isLingering()) {
            Backoff.nap(1_000_000);
        }
        assertEquals(before, StandIn.live());
    }

    /** Objects that a process has left are released by a thread. */
    private static boolean isLingering() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("mscclj-gpu-multicast"));
    }

    private static GpuMulticast multicast(DeviceContext context, boolean processes) {
        return new GpuMulticast(context, CudaDriver.INSTANCE.multicast().orElseThrow(), processes);
    }

    private static Map<StandIn.Kind, Long> living(StandIn.Kind... kinds) {
        Map<StandIn.Kind, Long> some = new EnumMap<>(StandIn.live());
        some.keySet().retainAll(List.of(kinds));
        return some;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void twoGpusOfAProcessShareAnObject(boolean processes) {
        GpuMulticast one = multicast(first, processes);
        GpuMulticast other = multicast(second, processes);
        assertEquals(Optional.empty(), one.obstacle());
        assertEquals(UNIT, one.granularity());
        try (GpuMemory memory = new GpuMemory(processes);
                DeviceBuffer own = memory.allocate(first, 1000, UNIT);
                DeviceBuffer more = memory.allocate(first, UNIT, UNIT);
                DeviceBuffer peers = memory.allocate(second, 2 * UNIT, UNIT);
                MulticastObject object = one.create(2, 2 * UNIT);
                MulticastObject opened = other.open(object.handle())) {
            object.addDevice();
            opened.addDevice();
            object.bind(own, 0);
            object.bind(more, UNIT);
            opened.bind(peers, 0);
            assertEquals(3, living(StandIn.Kind.BINDINGS).get(StandIn.Kind.BINDINGS));
            assertNotEquals(object.map(), opened.map());
        }
    }

    @Test
    void adoptedMemoryIsBoundByItsAddress() {
        try (GpuMemory memory = new GpuMemory(false);
                DeviceBuffer whole = memory.allocate(first, 2 * UNIT, UNIT);
                DeviceBuffer adopted = memory.adopt(first, whole.address() + UNIT, UNIT, () -> {});
                DeviceBuffer inTheMiddle = memory.adopt(first, whole.address() + 4096, UNIT, () -> {});
                MulticastObject object = multicast(first, false).create(1, UNIT)) {
            object.addDevice();
            object.bind(adopted, 0);
            object.unbind();
            String refusal = assertThrows(UnsupportedException.class, () -> object.bind(inTheMiddle, 0))
                    .getMessage();
            assertTrue(String.valueOf(refusal).contains("multiples of 2097152 bytes"), refusal);
        }
    }

    @Test
    void smallMemoryIsBoundWithItsBlockAndPinnedMemoryIsRefused() {
        try (GpuMemory memory = new GpuMemory(false);
                DeviceBuffer _ = memory.allocate(first, 64);
                DeviceBuffer another = memory.allocate(first, 64);
                DeviceBuffer pinned = memory.allocateHost(first, 64);
                MulticastObject object = multicast(first, false).create(1, UNIT)) {
            assertEquals(512, multicast(first, false).lead(another));
            object.addDevice();
            object.bind(another, 0);
            assertThrows(UnsupportedException.class, () -> object.bind(pinned, 0));
        }
    }

    @Test
    void aGpuIsAMemberOnce() {
        try (MulticastObject object = multicast(first, false).create(2, UNIT);
                MulticastObject again = multicast(first, false).open(object.handle())) {
            object.addDevice();
            String refusal =
                    assertThrows(UnsupportedException.class, again::addDevice).getMessage();
            assertTrue(String.valueOf(refusal).contains("two ranks use GPU 0"), refusal);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "cuMulticastCreate, 2, end other jobs",
        "cuMulticastCreate, 800, nvidia-modprobe -s -i 0:1",
        "cuMulticastAddDevice, 401, systemctl status nvidia-fabricmanager",
        "cuMulticastBindMem, 401, systemctl status nvidia-fabricmanager",
        "cuMulticastAddDevice, 801, /dev/nvidia-nvswitch*",
        "cuMemMap, 1, mapping memory failed"
    })
    void aRefusedStepSaysWhatToCheck(String function, int result, String advice) {
        BackendException refusal = assertThrows(BackendException.class, () -> {
            try (GpuMemory memory = new GpuMemory(false);
                    DeviceBuffer buffer = memory.allocate(first, UNIT, UNIT)) {
                StandIn.fail(function, result);
                try (MulticastObject object = multicast(first, false).create(1, UNIT)) {
                    object.addDevice();
                    object.bind(buffer, 0);
                    long _ = object.map();
                }
            } finally {
                StandIn.fail(function, 0);
            }
        });
        assertTrue(refusal.getMessage().contains(advice), refusal::getMessage);
        assertEquals(result, refusal.code());
    }

    /** The stand-in has no IMEX channels. */
    @Test
    void aHostWithoutImexChannelsSharesObjectsAmongItsOwnProcesses() {
        FabricState ofManyHosts = new FabricState(FabricState.Phase.COMPLETED, "", new UUID(1, 2), 3, "");
        GpuMulticast multicast = new GpuMulticast(
                first, CudaDriver.INSTANCE.multicast().orElseThrow(), true, () -> Optional.of(ofManyHosts));
        try (MulticastObject object = multicast.create(2, UNIT)) {
            assertEquals(
                    Optional.empty(),
                    MulticastDescription.decode(object.handle()).fabric());
        }
    }

    /** A step may end long after its rank has given it up. */
    @Test
    void anObjectNeedsNeitherTheDeviceNorTheBufferToStayOpen() {
        MulticastObject object;
        try (GpuMemory memory = new GpuMemory(false);
                DeviceBuffer buffer = memory.allocate(second, UNIT, UNIT)) {
            object = multicast(second, false).create(1, UNIT);
            object.addDevice();
            object.bind(buffer, 0);
            long _ = object.map();
        }
        second.close();
        assertEquals(1, living(StandIn.Kind.BINDINGS).get(StandIn.Kind.BINDINGS));
        object.unbind();
        object.close();
        second = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
    }

    @Test
    void descriptionsOfOtherVersionsAreRefused() {
        assertThrows(
                InvalidArgumentException.class, () -> multicast(first, true).open(new byte[7]));
        assertThrows(
                InvalidArgumentException.class, () -> multicast(first, true).open(new byte[80]));
    }

    /** What the first member has bound stays until the second one has left, or has ended. */
    @ParameterizedTest
    @ValueSource(strings = {"close", "kill"})
    void memoryStaysBoundUntilTheLastMemberHasLeft(String end) {
        StandIn.Kind bindings = StandIn.Kind.BINDINGS;
        try (GpuMemory memory = new GpuMemory(true);
                ChildJvm member = new ChildJvm(TeamMember.class, ChildJvm.standIns(), Map.of())) {
            MulticastObject object = multicast(first, true).create(2, UNIT);
            try (DeviceBuffer buffer = memory.allocate(first, UNIT, UNIT)) {
                object.addDevice();
                member.say(HexFormat.of().formatHex(object.handle()));
                assertEquals("added", member.hear());
                object.bind(buffer, 0);
                assertNotEquals(0, object.map());
                member.say("bind");
                assertEquals("bound", member.hear());
                object.close();
            }
            assertEquals(1, living(bindings).get(bindings), "the buffer is closed, and its memory is still bound");
            if (end.equals("close")) {
                member.say("close");
                assertEquals("closed", member.hear());
            } else {
                member.kill();
            }
            while (living(bindings).get(bindings) > 0) {
                Backoff.nap(1_000_000);
            }
        }
    }

    /** A member that is killed before it has opened the object leaves nothing. */
    @Test
    void aMemberThatNeverCameKeepsNothing() {
        MulticastObject object = multicast(first, true).create(2, UNIT);
        byte[] handle = object.handle();
        object.addDevice();
        object.close();
        assertThrows(
                InvalidArgumentException.class, () -> multicast(second, true).open(handle));
    }
}
