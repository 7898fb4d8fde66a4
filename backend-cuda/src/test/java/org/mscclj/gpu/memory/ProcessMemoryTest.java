package org.mscclj.gpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.descriptor.DescriptorClient;
import org.mscclj.gpu.descriptor.DescriptorServer;
import org.mscclj.posix.UnixSocket;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;

@ResourceLock(StandIn.RESOURCE)
class ProcessMemoryTest {
    private static final int LARGE = 3 << 20;

    private Map<StandIn.Kind, Long> before;
    private DeviceContext context;
    private GpuMemory memory;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        before = StandIn.live();
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
        memory = new GpuMemory(true);
    }

    @AfterEach
    void close() {
        memory.close();
        context.close();
        assertEquals(before, StandIn.live());
    }

    private static ChildJvm owner() {
        return new ChildJvm(MemoryOwner.class, ChildJvm.standIns(), Map.of());
    }

    private static MemoryHandle handle(String line) {
        return new MemoryHandle("cuda", HexFormat.of().parseHex(line));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    @Test
    void memoryOfAnotherProcessIsMappedAndOutlivesItsOwner() {
        try (ChildJvm owner = owner()) {
            owner.say("allocate 1000 5");
            MappedMemory first = memory.map(context, handle(owner.hear()));
            owner.say("allocate 1000 6");
            MappedMemory second = memory.map(context, handle(owner.hear()));
            owner.say("allocate " + LARGE + " 7");
            MappedMemory large = memory.map(context, handle(owner.hear()));
            assertEquals(first.address() + 1024, second.address());
            assertEquals(5, memory.readCounter(context, first.address()));
            assertEquals(6, memory.readCounter(context, second.address()));
            assertEquals(7, memory.readCounter(context, large.address()));
            assertEquals(LARGE, large.byteSize());
            memory.raiseCounter(context, large.address() + LARGE - 8);
            owner.say("read 2 " + (LARGE - 8));
            assertEquals("1", owner.hear());
            owner.say("close 2");
            assertEquals("closed", owner.hear());
            assertEquals(7, memory.readCounter(context, large.address()));
            owner.close();
            assertEquals(6, memory.readCounter(context, second.address()));
            first.close();
            second.close();
            large.close();
        }
    }

    private static long opened() {
        return StandIn.live().get(StandIn.Kind.OPENED);
    }

    @Test
    void foreignMemoryIsOpenedOnceByItsLegacyHandle() {
        try (ChildJvm owner = owner();
                GpuMemory another = new GpuMemory(true)) {
            owner.say("foreign 10000 100");
            MemoryHandle low = handle(owner.hear());
            MemoryHandle high = handle(owner.hear());
            assertTrue(memory.canMap(context, low));
            MappedMemory first = memory.map(context, low);
            MappedMemory second = memory.map(context, high);
            MappedMemory third = another.map(context, high);
            assertEquals(1, opened());
            assertEquals(4072, second.address() - first.address());
            assertEquals(second.address(), third.address());
            assertEquals(512, second.byteSize());
            assertEquals(124, memory.readCounter(context, first.address()));
            assertEquals(4196, memory.readCounter(context, second.address()));
            memory.raiseCounter(context, second.address() + 504);
            owner.say("read 1 504");
            assertEquals("1", owner.hear());
            first.close();
            second.close();
            second.close();
            assertEquals(1, opened());
            assertEquals(4196, another.readCounter(context, third.address()));
            third.close();
            assertEquals(0, opened());
            memory.map(context, low).close(); // and once more
            owner.say("close 0");
            assertEquals("closed", owner.hear());
            memory.map(context, high).close();
            owner.say("close 1");
            assertEquals("closed", owner.hear());
            BackendException gone = assertThrows(BackendException.class, () -> memory.map(context, high));
            assertTrue(gone.getMessage().contains("may have freed it or ended"), gone::getMessage);
            assertEquals(0, opened());
        }
    }

    @Test
    void foreignMemoryIsClosedAfterItsOwnerHasEnded() {
        try (ChildJvm owner = owner()) {
            owner.say("foreign 10000 1");
            MappedMemory mapped = memory.map(context, handle(owner.hear()));
            owner.close();
            mapped.close();
            assertEquals(0, opened());
        }
    }

    @Test
    void freedMemoryAndWrongTokensAreRefused() {
        try (ChildJvm owner = owner()) {
            owner.say("allocate " + LARGE + " 1");
            MemoryHandle handle = handle(owner.hear());
            byte[] bytes = handle.bytes();
            bytes[bytes.length - 1] ^= 1;
            MemoryHandle wrongToken = new MemoryHandle("cuda", bytes);
            assertThrows(InvalidArgumentException.class, () -> memory.map(context, wrongToken));
            owner.say("close 0");
            assertEquals("closed", owner.hear());
            assertTrue(memory.canMap(context, handle));
            assertThrows(InvalidArgumentException.class, () -> memory.map(context, handle));
            owner.close();
            BackendException ended = assertThrows(BackendException.class, () -> memory.map(context, handle));
            assertTrue(ended.getMessage().contains("has it ended"), ended::getMessage);
        }
    }

    @Test
    void aServerThatCannotBeStartedIsTriedAgain() {
        try (ChildJvm owner = owner()) {
            owner.say("occupied 8");
            String refused = owner.hear();
            assertTrue(refused.contains("bind failed"), refused);
            owner.say("allocate 8 3");
            MappedMemory mapped = memory.map(context, handle(owner.hear()));
            assertEquals(3, memory.readCounter(context, mapped.address()));
            mapped.close();
        }
    }

    @Test
    void anOwnerThatDoesNotAnswerIsSaidToBeStopped() {
        try (UnixSocket _ = UnixSocket.listen(DescriptorServer.name(-7));
                DeviceBuffer buffer = memory.allocate(context, 8)) {
            GpuMemoryDescription own = GpuMemoryDescription.decode(memory.export(buffer));
            DescriptorClient.Exported silentOwner =
                    new DescriptorClient.Exported(-7, own.block(), own.blockBytes(), DescriptorServer.token());
            BackendException silent = assertThrows(
                    BackendException.class, () -> DescriptorClient.fetch(context.driver(), silentOwner, 1));
            assertTrue(silent.getMessage().contains("has not answered within 1 s; is it stopped"), silent::getMessage);
        }
    }

    @Test
    void groupsOfOneProcessDoNotMapOthers() {
        try (ChildJvm owner = owner();
                GpuMemory threads = new GpuMemory(false)) {
            owner.say("allocate 8 0");
            MemoryHandle handle = handle(owner.hear());
            assertFalse(threads.canMap(context, handle));
            assertThrows(UnsupportedException.class, () -> threads.map(context, handle));
        }
    }

    @Test
    void manyRoundsLeakNothing() throws IOException {
        try (ChildJvm owner = owner()) {
            owner.say("allocate " + LARGE + " 1");
            MemoryHandle handle = handle(owner.hear());
            memory.map(context, handle).close();
            Map<StandIn.Kind, Long> idle = StandIn.live();
            long descriptors = descriptors();
            for (int round = 0; round < 1000; round++) {
                memory.map(context, handle).close();
            }
            assertEquals(idle, StandIn.live());
            // Tests beside this one open and close some, too.
            long more = descriptors() - descriptors;
            assertTrue(more < 500, () -> more + " file descriptors more");
        }
    }
}
