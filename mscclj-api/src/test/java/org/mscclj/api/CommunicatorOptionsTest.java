package org.mscclj.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RankPosition;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.TlsOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Timeouts;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

class CommunicatorOptionsTest {
    @Test
    void aDeviceIsChosenByItsNumber() {
        CommunicatorOptions options = CommunicatorOptions.rank(3, 8);
        assertEquals(OptionalInt.empty(), options.device());
        assertEquals(
                OptionalInt.of(0), options.device(0).localRank(2).name("other").device());
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> options.device(-1));
        assertEquals("device is -1; allowed: 0 or more", e.getMessage());
    }

    @Test
    void refiningLeavesTheOriginalAlone() {
        CommunicatorOptions options = CommunicatorOptions.rank(3, 8);
        CommunicatorOptions refined = options.ranksPerNode(4)
                .name("training")
                .backend("host")
                .timeout(Duration.ofSeconds(5))
                .address("10.0.0.1:5000")
                .controlPorts(new PortRange(6000, 6100))
                .secret("sehr geheimer Text")
                .insecure(true)
                .tls(new TlsOptions(Path.of("keys"), Path.of("trust"), "pass"))
                .job("7");
        assertEquals(new RankPosition(3, 8, 3, 8), options.position());
        assertEquals(Optional.empty(), options.rendezvous().address());
        assertEquals("world", options.name());
        assertEquals(new RankPosition(3, 8, 3, 4), refined.position());
        assertEquals(
                "10.0.0.1:5000", refined.rendezvous().address().orElseThrow().toString());
        assertEquals(new PortRange(6000, 6100), refined.rendezvous().controlPorts());
        assertEquals(Optional.of("host"), refined.backend());
        assertEquals(Duration.ofSeconds(5), refined.timeout());
        assertEquals(Optional.of("7"), refined.rendezvous().job());
        assertTrue(refined.rendezvous().insecure());
        assertEquals(1, options.ranksPerNode(2).position().localRank());
        assertEquals(3, options.ranksPerNode(2).localRank(3).position().localRank());
    }

    @Test
    void textsDoNotTellSecrets() {
        UniqueId id = UniqueId.create(RendezvousAddress.parse("10.0.0.1:5000"));
        CommunicatorOptions options = CommunicatorOptions.rank(0, 2)
                .uniqueId(id)
                .tls(new TlsOptions(Path.of("keys"), Path.of("trust"), "pass-word"));
        assertFalse(options.toString().contains(id.secret()), options::toString);
        assertFalse(options.toString().contains("pass-word"), options::toString);
        assertFalse(id.toString().contains(id.secret()), id::toString);
        assertEquals(id, UniqueId.parse(id.text()));
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> UniqueId.parse("mscclj:/" + id.secret()));
        assertFalse(String.valueOf(e.getMessage()).contains(id.secret()), e::getMessage);
    }

    @Test
    void badValuesAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> CommunicatorOptions.rank(0, 0));
        assertThrows(InvalidArgumentException.class, () -> CommunicatorOptions.rank(2, 2));
        assertThrows(InvalidArgumentException.class, () -> CommunicatorOptions.rank(-1, 2));
        CommunicatorOptions options = CommunicatorOptions.rank(0, 4);
        assertThrows(InvalidArgumentException.class, () -> options.ranksPerNode(3));
        assertThrows(InvalidArgumentException.class, () -> options.ranksPerNode(0));
        assertThrows(InvalidArgumentException.class, () -> options.localRank(-1));
        assertThrows(InvalidArgumentException.class, () -> options.timeout(Duration.ofNanos(-1)));
        assertEquals(Timeouts.NONE, options.timeout(Duration.ZERO).timeout());
        assertEquals(
                Timeouts.NONE, options.timeout(ChronoUnit.FOREVER.getDuration()).timeout());
        for (String weak : List.of("", "123456", "geheim", "1234567890123456", "a".repeat(100), "abababababababab")) {
            InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> options.secret(weak));
            assertTrue(String.valueOf(e.getMessage()).contains("openssl rand -hex 32"), e::getMessage);
            assertFalse(!weak.isEmpty() && String.valueOf(e.getMessage()).contains(weak), e::getMessage);
        }
        for (String strong : List.of("0123456789abcdef", UniqueId.randomSecret(), "Tr0ub4dor&3-x")) {
            assertEquals(
                    Optional.of(strong), options.secret(strong).rendezvous().secret());
        }
    }

    @Test
    void warmUpsAreChecked() {
        WarmUp sums = WarmUp.allReduce(DataType.FLOAT16, 1 << 20);
        CommunicatorOptions options = CommunicatorOptions.rank(0, 4).warmUp(List.of(sums));
        assertEquals(List.of(sums), options.name("other").warmUp());
        assertEquals(List.of(), LocalGroupOptions.ranks(4).warmUp());
        for (Executable bad : List.<Executable>of(
                () -> WarmUp.allReduce(DataType.FLOAT16, 0),
                () -> sums.op(ReduceOp.Kind.BAND),
                () -> sums.op(ReduceOp.Kind.NOP),
                () -> WarmUp.of(Collective.ALLGATHER, DataType.INT32, 4).op(ReduceOp.Kind.SUM))) {
            String message = String.valueOf(
                    assertThrows(InvalidArgumentException.class, bad).getMessage());
            assertTrue(message.contains("allowed"), message);
        }
    }

    @Test
    void sizesOfRecordersAreChecked() {
        CommunicatorOptions options = CommunicatorOptions.rank(0, 4);
        LocalGroupOptions local = LocalGroupOptions.ranks(4);
        assertEquals(OptionalInt.empty(), options.recorderEntries());
        assertEquals(OptionalInt.of(0), options.recorderEntries(0).name("other").recorderEntries());
        assertEquals(
                OptionalInt.of(1 << 24),
                local.recorderEntries(1 << 24).compareCalls(true).recorderEntries());
        for (int bad : new int[] {-1, (1 << 24) + 1}) {
            for (Executable call :
                    List.<Executable>of(() -> options.recorderEntries(bad), () -> local.recorderEntries(bad))) {
                String message = String.valueOf(
                        assertThrows(InvalidArgumentException.class, call).getMessage());
                assertTrue(
                        message.contains(String.valueOf(bad))
                                && message.contains("turns the recorder off, to 16777216"),
                        message);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1:5000, , 10.0.0.1, 5000, 5000",
        "login.example:5000-5010, , login.example, 5000, 5010",
        "eth0:10.0.0.1:5000, eth0, 10.0.0.1, 5000, 5000",
        "[::1]:7, , ::1, 7, 7",
        "ib0:[fe80::1]:7-8, ib0, fe80::1, 7, 8",
        "localhost:65535, , localhost, 65535, 65535"
    })
    void addressesAreRead(String text, String interfaceName, String host, int first, int last) {
        RendezvousAddress address = RendezvousAddress.parse(text);
        assertEquals(
                new RendezvousAddress(Optional.ofNullable(interfaceName), host, new PortRange(first, last)), address);
        assertEquals(text, address.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.1",
                ":5000",
                "10.0.0.1:",
                "10.0.0.1:0",
                "10.0.0.1:65536",
                "10.0.0.1:7-6",
                "a:b:c:5",
                "::1:5",
                "[::1:5",
                "10.0.0.1:x",
                "10.0.0.1:-5"
            })
    void badAddressesAreRefused(String text) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> RendezvousAddress.parse(text));
        assertTrue(String.valueOf(e.getMessage()).contains("allowed"), e::getMessage);
    }
}
