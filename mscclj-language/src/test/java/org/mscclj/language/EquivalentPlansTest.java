package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.plan.json.PlanReader;

/**
 * This language compiles to the same operations in every block as MSCCL++'s DSL. The repository holds only the SHA-256
 * of the compared text; if the system property {@code mscclj.plans} names the folder of MSCCL++'s plans, the test
 * compares them line by line, and checks the hashes.
 */
class EquivalentPlansTest {
    private static final String FOLDER = System.getProperty("mscclj.plans", "");

    static Stream<Arguments> programs() {
        return Stream.of(
                Arguments.of("allgather_2gpu", GivenPrograms.allGather("allgather_2gpu", -1)),
                Arguments.of(
                        "seed_simple_allgather_2gpus", GivenPrograms.allGather("simple_allgather_2gpus", 1L << 30)),
                Arguments.of("allgather_tbg_2gpu", GivenPrograms.allGatherByGroup("allgather_tbg_2gpu")),
                Arguments.of("allgather_pkt_2gpu", GivenPrograms.allGatherPackets("allgather_pkt_2gpu", 2)),
                Arguments.of("allgather_pkt_4gpu", GivenPrograms.allGatherPackets("allgather_pkt_4gpu", 4)),
                Arguments.of("allreduce_2gpu", GivenPrograms.allReduce("allreduce_2gpu", 2)),
                Arguments.of("allreduce_4gpu", GivenPrograms.allReduce("allreduce_4gpu", 4)),
                Arguments.of("allreduce_8gpu", GivenPrograms.allReduce("allreduce_8gpu", 8)),
                Arguments.of("allreduce_naivy_2gpu", GivenPrograms.allReduceByOneBlock("allreduce_naivy_2gpu", 2)),
                Arguments.of("allreduce_pkt_2gpu", GivenPrograms.allReducePackets("allreduce_pkt_2gpu", 2)),
                Arguments.of("allreduce_pkt_4gpu", GivenPrograms.allReducePackets("allreduce_pkt_4gpu", 4)),
                Arguments.of("allreduce_pkt_8gpu", GivenPrograms.allReducePackets("allreduce_pkt_8gpu", 8)),
                Arguments.of(
                        "allreduce_nvls_zero_copy_2gpu",
                        GivenPrograms.allReduceMulticast(AlgoSpec.builder(
                                        "allreduce_nvls_zero_copy_2gpu", ProgramCollective.allReduce(2, 1, true))
                                .instances(8)
                                .build())),
                Arguments.of(
                        "allreduce_nvls_zero_copy_4gpu",
                        GivenPrograms.allReduceMulticast(AlgoSpec.builder(
                                        "allreduce_nvls_zero_copy_4gpu", ProgramCollective.allReduce(4, 1, true))
                                .instances(8)
                                .build())),
                Arguments.of("seed_allreduce_nvls_2gpu_inst2", seedMulticast(2)),
                Arguments.of("seed_allreduce_nvls_4gpu_inst4", seedMulticast(4)),
                Arguments.of("alltoall_2gpu", GivenPrograms.allToAll("alltoall_2gpu", 2, 2)),
                Arguments.of("alltoall_4gpu", GivenPrograms.allToAll("alltoall_4gpu", 4, 2)),
                Arguments.of("alltoall_ring_oop_2gpu", GivenPrograms.allToAllRing("alltoall_ring_oop_2gpu", 2)),
                Arguments.of("allreduce_pipeline_2gpu", GivenPrograms.allReducePipeline("allreduce_pipeline_2gpu")));
    }

    private static CollectiveProgram seedMulticast(int ranks) {
        return GivenPrograms.allReduceMulticast(
                AlgoSpec.builder("allreduce_nvls", ProgramCollective.allReduce(ranks, 1, true))
                        .instances(ranks)
                        .messageSizes(1 << 20, 48L << 30)
                        .tag("nvls", 1)
                        .build());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void canonicalTextHasTheRecordedHash(String file, CollectiveProgram program) throws Exception {
        assertEquals(
                kept(file),
                sha256(CanonicalPlan.of(program.compile())),
                () -> file + " is not what MSCCL++'s DSL wrote; -Dmscclj.plans=/folder compares them line by line");
    }

    private static String kept(String file) throws IOException {
        try (InputStream digests = EquivalentPlansTest.class.getResourceAsStream("canonical-plans.sha256")) {
            return new String(Objects.requireNonNull(digests).readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> line.endsWith("  " + file))
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .findFirst()
                    .orElse("nothing");
        }
    }

    private static String sha256(List<String> lines) throws NoSuchAlgorithmException {
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void blocksHaveTheSameOperations(String file, CollectiveProgram program) throws Exception {
        assumeFalse(FOLDER.isBlank(), "no folder of plans is given: -Dmscclj.plans=/folder");
        List<String> given = CanonicalPlan.of(PlanReader.read(Path.of(FOLDER, file + ".json")));
        assertEquals(kept(file), sha256(given), file);
        assertEquals(String.join("\n", given), String.join("\n", CanonicalPlan.of(program.compile())));
    }
}
