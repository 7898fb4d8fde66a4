package org.mscclj.backend.rocm.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mscclj.backend.rocm.RealHip;
import org.mscclj.backend.rocm.driver.RocmDriver;
import org.mscclj.gpu.driver.DeviceMemoryCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.PointerAttribute;

/** The bindings call the library of HIP that is installed, on a machine without an AMD GPU. */
class RealHipTest {
    private static final Path SOURCES = Path.of("src/main/java/org/mscclj/backend/rocm/ffm");

    private static final Pattern BOUND = Pattern.compile("HipLibrary\\.(?:call|bind|text)\\(\\s*\"(hip\\w+)\"");

    /** Functions that came after HIP 5.2, which Debian 12 has. */
    private static final Set<String> NEWER = Set.of(
            "hipGraphRetainUserObject",
            "hipGraphUpload",
            "hipStreamGetDevice",
            "hipUserObjectCreate",
            "hipUserObjectRelease");

    @BeforeAll
    static void requireLibrary() {
        RealHip.require();
    }

    private static void assumeNoGpu() {
        assumeFalse(Files.exists(Path.of("/dev/kfd")), "this machine has /dev/kfd");
    }

    private static Set<String> bound() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(SOURCES)) {
            files = all.toList();
        }
        Set<String> names = new TreeSet<>();
        for (Path file : files) {
            BOUND.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult result) -> result.group(1))
                    .forEach(names::add);
        }
        return names;
    }

    @Test
    void everyFunctionThatIsBoundExists() throws IOException {
        Set<String> names = bound();
        assertTrue(names.size() > 45, names::toString);
        Set<String> missing =
                names.stream().filter(name -> !HipLibrary.has(name)).collect(Collectors.toCollection(TreeSet::new));
        assertTrue(missing.remove("hipFuncGetParamInfo"), "no version has it: say since which, and where it is used");
        if (HipRuntime.major() < 6) {
            missing.removeAll(NEWER);
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void allLink() {
        HipLinking.linkAll();
    }

    @Test
    void theVersionIsOneThatIsKnown() {
        assertTrue(HipRuntime.major() >= 5 && HipRuntime.major() <= 7, HipRuntime::version);
        assertTrue(HipRuntime.version().matches("\\d+\\.\\d+\\.\\d+"), HipRuntime::version);
    }

    @Test
    void withoutAGpuCallsFailAndReturn() {
        assumeNoGpu();
        GpuDriver driver = RocmDriver.INSTANCE;
        assertTrue(Set.of(HipErrors.NO_DEVICE, HipErrors.INVALID_DEVICE).contains(HipRuntime.initialize()));
        assertEquals(-HipErrors.NO_DEVICE, driver.devices().count());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(256, 8);
            assertTrue(failed(HipMemory.INSTANCE.allocate(value, 4096)));
            assertTrue(failed(HipMemory.INSTANCE.allocatePinned(value, 4096)));
            assertTrue(failed(driver.streams().create(true, value)));
            assertTrue(failed(driver.events().create(value)));
            assertTrue(failed(driver.devices().name(0, value)));
            assertTrue(failed(driver.devices().uuid(0, value)));
            assertTrue(failed(driver.devices().architecture(0, value)));
            assertTrue(failed(driver.devices().multiprocessors(0, value)));
            assertTrue(failed(driver.devices().warpSize(0, value)));
            assertTrue(failed(driver.devices().canAccessPeer(0, 1, value)));
            assertTrue(failed(driver.devices().freeMemory(value)));
            assertTrue(failed(driver.contexts().setCurrent(1)));
            assertTrue(failed(driver.memory().pointerAttribute(value, PointerAttribute.BUFFER_ID, value.address())));
            assertFalse(driver.memory().isCoherent(value.address()));
            assertTrue(failed(driver.code().load(value, new byte[64])));
            assertEquals(0, driver.contexts().current());
        }
    }

    private static boolean failed(int result) {
        return result != DriverErrors.SUCCESS;
    }

    @Test
    void errorsHaveNamesAndTexts() {
        assertEquals("hipErrorNoDevice", HipErrors.INSTANCE.name(HipErrors.NO_DEVICE));
        assertFalse(HipErrors.INSTANCE.text(HipErrors.OUT_OF_MEMORY).isEmpty());
        assertFalse(HipErrors.INSTANCE.name(123_456).isEmpty(), "one that HIP does not know");
    }

    @Test
    void memoryIsAllocatedWithItsAddress() {
        DeviceMemoryCalls calls = RocmDriver.INSTANCE.deviceMemory();
        assertEquals(HipMemory.INSTANCE, calls);
        assertEquals(2 << 20, HipMemory.INSTANCE.granularity());
    }

    @Test
    void launchesOfAnUnknownFunctionHaveNoParameters() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            assertTrue(RocmDriver.INSTANCE
                    .errors()
                    .isInvalidValue(RocmDriver.INSTANCE.launches().parameter(7, 0, value, value)));
        }
        assumeTrue(HipRuntime.major() == 5, "the list of targets below is that of HIP 5");
        assertTrue(CompilerTargets.known().containsAll(Set.of("gfx908", "gfx90a", "gfx1030")));
        assertFalse(CompilerTargets.known().contains("gfx942"));
    }
}
