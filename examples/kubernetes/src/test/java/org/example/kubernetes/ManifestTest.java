package org.example.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubernetes.client.openapi.models.V1NetworkPolicyPort;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.bootstrap.PortRange;

/** Kubernetes knows all fields of the manifests, and the parts of a manifest fit each other. */
class ManifestTest {
    private static final String TCP = "allreduce-tcp.yaml";
    private static final String RDMA = "allreduce-rdma.yaml";
    private static final String POLICY = "network-policy.yaml";

    @Test
    void kubernetesKnowsAllFields() {
        assertEquals(2, Manifest.read(TCP).objects().size());
        assertEquals(2, Manifest.read(RDMA).objects().size());
        assertEquals(1, Manifest.read(POLICY).objects().size());
    }

    @ParameterizedTest
    @CsvSource({
        "completionMode:, completionsMode:", // of the job
        "subdomain:, subDomain:", // of the pod
        "mountPath:, path:", // of a list in a list
        "parallelism: 2, parallelism: two", // another type
        "image: registry, picture: registry", // unknown, and its value is missing
        "clusterIP: None, type: [None]", // a list
        "memory: 2Gi, memory: 2GiB" // no quantity
    })
    void aMistakeIsDetected(String right, String wrong) {
        String text = Manifest.text(TCP);
        assertTrue(text.contains(right));
        assertThrows(RuntimeException.class, () -> Manifest.of(text.replace(right, wrong)));
    }

    @ParameterizedTest
    @ValueSource(strings = {TCP, RDMA})
    void allPodsRunAtOnceAndHaveNumbers(String file) {
        Manifest manifest = Manifest.read(file);
        assertEquals("Indexed", manifest.job().getSpec().getCompletionMode());
        assertEquals(manifest.pods(), manifest.job().getSpec().getParallelism());
        assertEquals(0, manifest.job().getSpec().getBackoffLimit());
    }

    @ParameterizedTest
    @ValueSource(strings = {TCP, RDMA})
    void theWorldIsTheRanksOfAllPods(String file) {
        Manifest manifest = Manifest.read(file);
        assertEquals(manifest.pods() * manifest.number("RANKS_PER_POD"), manifest.number("MSCCLJ_WORLD_SIZE"));
    }

    @ParameterizedTest
    @ValueSource(strings = {TCP, RDMA})
    void ranksMeetAtPodZeroByTheNameOfTheService(String file) {
        Manifest manifest = Manifest.read(file);
        String service = manifest.service().getMetadata().getName();
        String job = manifest.job().getMetadata().getName();
        assertEquals("None", manifest.service().getSpec().getClusterIP());
        assertEquals(service, manifest.pod().getSubdomain());
        assertEquals(
                job + "-0." + service, manifest.variables().get("MSCCLJ_MASTER_ADDR"), "pod 0 of a job is named JOB-0");
        assertEquals(
                manifest.job().getSpec().getTemplate().getMetadata().getLabels(),
                manifest.service().getSpec().getSelector());
        int port = manifest.number("MSCCLJ_MASTER_PORT");
        assertEquals(port, manifest.service().getSpec().getPorts().getFirst().getPort());
        assertEquals(port, manifest.ranks().getPorts().getFirst().getContainerPort());
    }

    @Test
    void rangesHaveAPortForEachRankOfAPod() {
        for (String file : List.of(TCP, RDMA)) {
            Manifest manifest = Manifest.read(file);
            for (PortRange range : ranges(manifest)) {
                int ports = range.last() - range.first() + 1;
                assertTrue(ports == 1 || ports >= manifest.number("RANKS_PER_POD"), range::toString);
            }
        }
    }

    private static List<PortRange> ranges(Manifest manifest) {
        return Stream.of("MSCCLJ_MASTER_PORT", "MSCCLJ_CONTROL_PORTS", "MSCCLJ_TCP_PORTS")
                .filter(manifest.variables()::containsKey)
                .map(name -> PortRange.parse(manifest.variables().get(name)))
                .toList();
    }

    @Test
    void thePolicyOpensThePortsOfTheRanksAndNoOthers() {
        Manifest tcp = Manifest.read(TCP);
        var policy = Manifest.read(POLICY).policy().getSpec();
        assertEquals(
                tcp.service().getSpec().getSelector(), policy.getPodSelector().getMatchLabels());
        assertEquals(
                ranges(tcp),
                policy.getIngress().getFirst().getPorts().stream()
                        .map(ManifestTest::range)
                        .toList());
        assertEquals(
                ranges(tcp),
                policy.getEgress().getFirst().getPorts().stream()
                        .map(ManifestTest::range)
                        .toList());
    }

    private static PortRange range(V1NetworkPolicyPort port) {
        assertEquals("TCP", port.getProtocol());
        int first = port.getPort().getIntValue();
        return new PortRange(first, port.getEndPort() == null ? first : port.getEndPort());
    }

    @Test
    void adaptersAreUsedAndMemoryIsLocked() {
        Manifest manifest = Manifest.read(RDMA);
        Map<String, String> variables = manifest.variables();
        assertFalse(variables.containsKey("MSCCLJ_PROTECTION"), "it may turn transport ib off");
        assertEquals(
                List.of("IPC_LOCK"),
                manifest.ranks().getSecurityContext().getCapabilities().getAdd());
        assertTrue(manifest.ranks().getResources().getLimits().keySet().stream()
                .anyMatch(resource -> resource.startsWith("rdma/")));
    }

    @Test
    void bothManifestsHaveTheSameScript() {
        assertTrue(script(RDMA).endsWith(script(TCP)), script(RDMA));
    }

    private static String script(String file) {
        return Manifest.read(file).ranks().getArgs().getFirst();
    }
}
