package org.mscclj.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.bootstrap.Placement;
import org.mscclj.api.bootstrap.RankPosition;
import org.mscclj.api.bootstrap.Rendezvous;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;

class LauncherEnvironmentTest {
    /** "A=1 B=2" as an environment. */
    private static Map<String, String> environment(String text) {
        Map<String, String> environment = new HashMap<>();
        for (String entry : text.split(" ")) {
            int equals = entry.indexOf('=');
            environment.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
        return environment;
    }

    private static RankPosition onSeveralHosts(int rank, int size, int localRank) {
        return new RankPosition(rank, size, localRank, size, Placement.FOUND_ON_SEVERAL_HOSTS);
    }

    private static CommunicatorOptions detect(String text) {
        return CommunicatorOptions.detect(environment(text)).orElseThrow();
    }

    static Stream<Arguments> launchers() {
        return Stream.of(
                Arguments.of("MSCCLJ_RANK=1 MSCCLJ_WORLD_SIZE=4", new RankPosition(1, 4, 1, 4), "", ""),
                Arguments.of(
                        "MSCCLJ_RANK=3 MSCCLJ_WORLD_SIZE=4 MSCCLJ_RANKS_PER_NODE=2 MSCCLJ_MASTER_ADDR=127.0.0.1"
                                + " MSCCLJ_MASTER_PORT=7000 MSCCLJ_JOB=j",
                        new RankPosition(3, 4, 1, 2),
                        "127.0.0.1:7000",
                        "j"),
                Arguments.of(
                        "MSCCLJ_RANK=3 MSCCLJ_WORLD_SIZE=4 MSCCLJ_RANKS_PER_NODE=2 MSCCLJ_LOCAL_RANK=3"
                                + " MSCCLJ_MASTER_ADDR=eth0:10.1.1.1:70-80",
                        new RankPosition(3, 4, 3, 2),
                        "eth0:10.1.1.1:70-80",
                        ""),
                Arguments.of(
                        "RANK=5 WORLD_SIZE=8 LOCAL_RANK=1 LOCAL_WORLD_SIZE=4 MASTER_ADDR=node1 MASTER_PORT=29500",
                        onSeveralHosts(5, 8, 1),
                        "node1:29500",
                        "torchrun-none-29500"),
                Arguments.of(
                        "TORCHCOMM_RANK=1 TORCHCOMM_SIZE=2 RANK=5 WORLD_SIZE=8 MASTER_ADDR=node1 MASTER_PORT=29500",
                        new RankPosition(1, 2, 1, 2),
                        "node1:29500",
                        "torchrun-none-29500"),
                Arguments.of(
                        "RANK=0 WORLD_SIZE=2 MASTER_ADDR=node1 MASTER_PORT=29500 TORCHELASTIC_USE_AGENT_STORE=True"
                                + " TORCHELASTIC_RUN_ID=x",
                        new RankPosition(0, 2, 0, 2),
                        "node1:29501-29516",
                        "torchrun-x-29500"),
                Arguments.of(
                        "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=1"
                                + " OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_RANK=1 PMIX_NAMESPACE=2094661633 SLURM_PROCID=0"
                                + " SLURM_NTASKS=1",
                        new RankPosition(1, 2, 1, 2),
                        "",
                        "mpi-2094661633"),
                Arguments.of(
                        "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=0"
                                + " OMPI_COMM_WORLD_LOCAL_SIZE=1 OMPI_MCA_ess_base_jobid=9 MSCCLPP_MASTER_ADDR=10.0.0.9"
                                + " MSCCLPP_MASTER_PORT=50000",
                        onSeveralHosts(1, 2, 0),
                        "10.0.0.9:50000",
                        "mpi-9"),
                Arguments.of(
                        "PMIX_RANK=2 MSCCLJ_WORLD_SIZE=4 PMIX_NAMESPACE=prterun-host-7@1",
                        new RankPosition(2, 4, 2, 4),
                        "",
                        "pmix-prterun-host-7@1"),
                // PMIx of Slurm: the step's variables tell what PMIx's do not
                Arguments.of(
                        "PMIX_RANK=2 PMIX_NAMESPACE=slurm.pmix.7.0 SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_PROCID=2"
                                + " SLURM_STEP_NUM_TASKS=4 SLURM_NTASKS=9 SLURM_STEP_NUM_NODES=1 SLURM_LOCALID=2",
                        new RankPosition(2, 4, 2, 4),
                        "",
                        "slurm-7.0"),
                // prterun inside Slurm: the step is that of its daemons
                Arguments.of(
                        "PMIX_RANK=2 PMIX_NAMESPACE=prterun-n1-7@1 MSCCLJ_WORLD_SIZE=4 SLURM_JOB_ID=7 SLURM_STEP_ID=0"
                                + " SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_NUM_NODES=2",
                        new RankPosition(2, 4, 2, 4),
                        "",
                        "pmix-prterun-n1-7@1"),
                Arguments.of(
                        "PMI_RANK=2 PMI_SIZE=4 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2 PMI_KVS=kvs_1",
                        onSeveralHosts(2, 4, 0),
                        "",
                        "pmi-kvs_1"),
                // hydra inside Slurm, whose proxies are a step that has a PMI, too
                Arguments.of(
                        "PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2 PMI_JOBID=4.1 SLURM_JOB_ID=4"
                                + " SLURM_STEP_ID=1 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_NUM_NODES=2",
                        onSeveralHosts(3, 4, 1),
                        "",
                        ""),
                // srun --mpi=pmi2 names no local rank
                Arguments.of(
                        "PMI_RANK=1 PMI_SIZE=2 PMI_JOBID=3.1 SLURM_JOB_ID=3 SLURM_STEP_ID=1 SLURM_PROCID=1"
                                + " SLURM_LOCALID=1 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_NUM_NODES=1",
                        new RankPosition(1, 2, 1, 2),
                        "",
                        "slurm-3.1"),
                Arguments.of(
                        "SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_NTASKS=2 SLURM_LOCALID=1 SLURM_NTASKS_PER_NODE=4"
                                + " SLURM_JOB_ID=42 SLURM_STEP_ID=3 SLURM_STEP_NUM_NODES=1 SLURM_NODELIST=n[1-2]",
                        new RankPosition(1, 2, 1, 2),
                        "",
                        "slurm-42.3"));
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void launchersAreRecognised(String variables, RankPosition position, String address, String job) {
        CommunicatorOptions options = detect(variables);
        Rendezvous rendezvous = options.rendezvous();
        assertEquals(position, options.position());
        assertEquals(
                address, rendezvous.address().map(RendezvousAddress::toString).orElse(""));
        assertEquals(job, rendezvous.job().orElse(""));
        assertEquals(Optional.empty(), rendezvous.secret());
    }

    /** What real steps on two nodes had; the job's own variables say something else. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // srun -N2 -n8
                "SLURM_STEP_NUM_TASKS=8 SLURM_NTASKS=99 SLURM_STEP_TASKS_PER_NODE=4(x2) SLURM_STEP_NUM_NODES=2|8",
                // salloc -N2 --ntasks-per-node=4; srun -N2 -n6
                "SLURM_STEP_NUM_TASKS=6 SLURM_NTASKS=6 SLURM_NTASKS_PER_NODE=4 SLURM_STEP_TASKS_PER_NODE=3(x2)"
                        + " SLURM_TASKS_PER_NODE=4(x2) SLURM_STEP_NUM_NODES=2|6",
                // unequal nodes
                "SLURM_STEP_NUM_TASKS=7 SLURM_STEP_TASKS_PER_NODE=4,3 SLURM_STEP_NUM_NODES=2|7",
                // before Slurm told the number of nodes
                "SLURM_STEP_NUM_TASKS=7 SLURM_STEP_TASKS_PER_NODE=4,3|7",
            })
    void slurmStepsOnSeveralNodesMeetOnTheFirst(String variables, int size) {
        CommunicatorOptions options = detect("SLURM_PROCID=5 SLURM_LOCALID=1 SLURM_JOB_ID=42 SLURM_STEP_ID=0"
                + " SLURM_STEP_NODELIST=node[07-08] SLURM_JOB_NODELIST=node[01-08] " + variables);
        RendezvousAddress address = options.rendezvous().address().orElseThrow();
        assertEquals(onSeveralHosts(5, size, 1), options.position());
        assertEquals("node07", address.host());
        assertTrue(address.ports().first() >= 20_000 && address.ports().last() < 32_000, address::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "MSCCLJ_MASTER_ADDR=::1 MSCCLJ_MASTER_PORT=7, [::1]:7",
        "MSCCLJ_MASTER_ADDR=[::1] MSCCLJ_MASTER_PORT=7, [::1]:7",
        "MSCCLJ_MASTER_ADDR=[::1]:7, [::1]:7",
        "MSCCLJ_MASTER_ADDR=0:0:0:0:0:0:0:1 MSCCLJ_MASTER_PORT=37391, [0:0:0:0:0:0:0:1]:37391",
        "MSCCLJ_MASTER_ADDR=fe80::1%eth0 MSCCLJ_MASTER_PORT=7-9, [fe80::1%eth0]:7-9",
        "MSCCLJ_MASTER_ADDR=eth0:[fe80::1] MSCCLJ_MASTER_PORT=7, eth0:[fe80::1]:7",
        "MSCCLJ_MASTER_ADDR=eth0:10.0.0.1 MSCCLJ_MASTER_PORT=7, eth0:10.0.0.1:7",
        "MSCCLPP_MASTER_ADDR=::1 MSCCLPP_MASTER_PORT=7, [::1]:7"
    })
    void addressesOfAllFamiliesAreRead(String variables, String address) {
        assertEquals(
                address,
                detect("MSCCLJ_RANK=1 MSCCLJ_WORLD_SIZE=2 " + variables)
                        .rendezvous()
                        .address()
                        .orElseThrow()
                        .toString());
    }

    @ParameterizedTest
    @CsvSource({"::1, [::1]:29500", "[::1], [::1]:29500", "fe80::1%eth0, [fe80::1%eth0]:29500"})
    void torchrunsAddressMayBeOfIpv6(String host, String address) {
        assertEquals(
                address,
                detect("RANK=1 WORLD_SIZE=2 MASTER_ADDR=" + host)
                        .rendezvous()
                        .address()
                        .orElseThrow()
                        .toString());
    }

    @Test
    void whatIsSaidOfNodesIsTold() {
        RankPosition position = detect("SLURM_PROCID=5 SLURM_LOCALID=5 SLURM_JOB_ID=42 SLURM_STEP_ID=0"
                        + " SLURM_STEP_NUM_TASKS=8 SLURM_STEP_NUM_NODES=1 MSCCLJ_RANKS_PER_NODE=4")
                .position();
        assertEquals(new RankPosition(5, 8, 5, 4, Placement.TOLD), position);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"one|one", "one,two|one", "n[1,3]|n1", "n[01-16]-ib|n01-ib", "n[3-4],m5|n3", "a,n[1-2]|a"})
    void theFirstNodeOfAListIsFound(String list, String first) {
        assertEquals(first, SlurmNodes.first(list));
    }

    @Test
    void trustIsConfigured() {
        Rendezvous rendezvous = detect("RANK=0 WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=1 MSCCLJ_MASTER_PORT=2"
                        + " MSCCLJ_SECRET=0123456789abcdef MSCCLJ_INSECURE=1 MSCCLJ_CONTROL_PORTS=5-6"
                        + " MSCCLJ_TLS_KEY_STORE=k"
                        + " MSCCLJ_TLS_TRUST_STORE=t MSCCLJ_TLS_PASSWORD=p")
                .rendezvous();
        assertEquals("a:2", rendezvous.address().orElseThrow().toString());
        assertEquals(Optional.of("0123456789abcdef"), rendezvous.secret());
        assertTrue(rendezvous.insecure());
        assertEquals("5-6", rendezvous.controlPorts().toString());
        assertEquals("p", rendezvous.tls().orElseThrow().password());
    }

    @Test
    void aSecretMayBeInAFileThatOnlyItsOwnerCanRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "  0123456789abcdefABC\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        String variables = "RANK=0 WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=1 MSCCLJ_SECRET=ffff MSCCLJ_SECRET_FILE=";
        assertEquals(
                Optional.of("0123456789abcdefABC"),
                detect(variables + file).rendezvous().secret());
        for (String permissions : List.of("rw-r-----", "rw----r--", "rw--w----")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
            InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> detect(variables + file));
            assertTrue(String.valueOf(e.getMessage()).contains(permissions), e::getMessage);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThrows(InvalidArgumentException.class, () -> detect(variables + link));
        assertThrows(InvalidArgumentException.class, () -> detect(variables + folder.resolve("missing")));
    }

    @Test
    void theTlsPasswordMayBeInAFileLikewise(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "p from a file\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        String variables = "RANK=0 WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=1 MSCCLJ_TLS_KEY_STORE=k"
                + " MSCCLJ_TLS_TRUST_STORE=t MSCCLJ_TLS_PASSWORD_FILE=";
        assertEquals(
                "p from a file",
                detect(variables + file).rendezvous().tls().orElseThrow().password());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThrows(InvalidArgumentException.class, () -> detect(variables + file));
    }

    @ParameterizedTest
    @CsvSource({
        "HOME=/x",
        "RANK=3",
        "WORLD_SIZE=3",
        // a batch script, of this Slurm and of others, with and without tasks per node
        "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0 SLURM_JOB_ID=3 SLURM_TASKS_PER_NODE=2(x2)",
        "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_ID=4294967291",
        "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_ID=batch",
        // the shells of salloc: on the machine that it was called on, and on a node
        "SLURM_NTASKS=4 SLURM_JOB_ID=3 SLURM_NTASKS_PER_NODE=2",
        "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=1 SLURM_STEP_ID=4294967290 SLURM_JOB_ID=3",
        "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_STEP_ID=4294967292 SLURM_JOB_ID=3",
        "MSCCLJ_RANK= MSCCLJ_WORLD_SIZE="
    })
    void otherEnvironmentsNameNoRank(String variables) {
        assertEquals(Optional.empty(), CommunicatorOptions.detect(environment(variables)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MSCCLJ_RANK=1|MSCCLJ_WORLD_SIZE",
                "MSCCLJ_RANK=x MSCCLJ_WORLD_SIZE=2|MSCCLJ_RANK",
                "TORCHCOMM_RANK=0 RANK=0 WORLD_SIZE=2|TORCHCOMM_SIZE",
                "OMPI_COMM_WORLD_RANK=1|OMPI_COMM_WORLD_SIZE",
                "PMIX_RANK=1|MSCCLJ_WORLD_SIZE",
                "RANK=2 WORLD_SIZE=2|0 to 1",
                "RANK=0 WORLD_SIZE=3 LOCAL_WORLD_SIZE=4|1 to 3",
                "RANK=0 WORLD_SIZE=3 LOCAL_WORLD_SIZE=0|1 to 3",
                "RANK=0 WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=p|5000-5015",
                "SLURM_PROCID=0 SLURM_STEP_ID=0|SLURM_STEP_NUM_TASKS",
                "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=x|SLURM_STEP_NUM_TASKS",
                "PMIX_RANK=1 PMIX_NAMESPACE=prterun-1 SLURM_PROCID=1 SLURM_STEP_ID=0"
                        + " SLURM_STEP_NUM_TASKS=2|MSCCLJ_WORLD_SIZE",
                "MSCCLJ_RANK=0 MSCCLJ_WORLD_SIZE=2 MSCCLJ_MASTER_ADDR=host|MSCCLJ_MASTER_PORT",
                "MSCCLJ_RANK=0 MSCCLJ_WORLD_SIZE=2 MSCCLJ_TLS_KEY_STORE=k|MSCCLJ_TLS_TRUST_STORE"
            })
    void badVariablesAreNamed(String variables, String named) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> detect(variables));
        assertTrue(String.valueOf(e.getMessage()).contains(named), e::getMessage);
    }
}
