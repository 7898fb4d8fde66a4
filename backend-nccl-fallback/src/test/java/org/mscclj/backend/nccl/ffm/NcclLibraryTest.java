package org.mscclj.backend.nccl.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.library.LibrarySearch;

class NcclLibraryTest {
    @Test
    void aMissingLibraryIsReportedWithThePackageToInstall() {
        String problem = NcclLibrary.load(
                        LibrarySearch.named("libnosuchnccl.so.2").pythonPackages("nvidia/nccl/lib"))
                .problem()
                .orElseThrow();
        for (String part :
                List.of("libnosuchnccl.so.2 not found", "Python packages", "nvidia-nccl-cu13", "MSCCLJ_NCCL_LIB")) {
            assertTrue(problem.contains(part), problem);
        }
    }

    @Test
    void aLibraryWithoutTheFunctionsIsReportedByItsFirstMissingOne() {
        String problem =
                NcclLibrary.load(LibrarySearch.named("libc.so.6")).problem().orElseThrow();
        assertTrue(problem.startsWith("libc.so.6 has no ncclGetVersion"), problem);
    }

    @Test
    void theVariableSelectsTheLibrary() {
        StandIn.require();
        assertEquals(Optional.empty(), Nccl.problem());
        assertEquals(System.getenv("MSCCLJ_NCCL_LIB"), Nccl.path());
        assertEquals(NcclVersion.of(2, 27, 5), Nccl.version());
        assertTrue(NcclRegistration.isThere());
        assertTrue(NcclRegistration.hasWindows());
    }

    @Test
    void multicastIsOffUnlessTheEnvironmentTurnsItOn() {
        StandIn.require();
        assertEquals(Optional.empty(), Nccl.problem());
        String given = System.getenv(MulticastDefault.VARIABLE);
        assertEquals(given == null ? "0" : given, StandIn.environment(MulticastDefault.VARIABLE));
    }

    @Test
    void theUniqueIdIsPassedByValueAndWhole() {
        StandIn.require();
        byte[] id = Nccl.uniqueId();
        assertEquals(Nccl.UNIQUE_ID_BYTES, id.length);
        Nccl.commDestroy(Nccl.commInitRank(1, id, 0));
        for (int i = 0; i < id.length; i++) {
            byte[] other = id.clone();
            other[i]++;
            BackendException refused =
                    assertThrows(BackendException.class, () -> Nccl.commInitRank(1, other, 0), "byte " + i);
            assertEquals(
                    "ncclCommInitRank failed: invalid argument: the unique id is nobody's (ncclInvalidArgument, code 4)",
                    refused.getMessage());
            assertEquals("ncclInvalidArgument", refused.symbol());
            assertEquals(4, refused.code());
        }
    }

    @Test
    void versionsAreReadAsTheyArePrinted() {
        assertEquals("2.27.5", new NcclVersion(22705).toString());
        assertEquals("2.8.3", new NcclVersion(2803).toString());
        assertTrue(NcclVersion.of(2, 24, 3).isAtLeast(new NcclVersion(2803)));
    }
}
