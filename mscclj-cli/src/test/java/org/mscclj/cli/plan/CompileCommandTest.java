package org.mscclj.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** {@code mscclj plan compile} writes a shipped program's plan, which can be proved and run. */
class CompileCommandTest {
    @TempDir
    private Path folder;

    private static CommandLineRun compile(String arguments) {
        return CommandLineRun.of(("plan compile " + arguments).split(" "));
    }

    @Test
    void writesTheRequestedPlan() {
        Path file = folder.resolve("plan.json");
        CommandLineRun run = compile("two_level --collective broadcast --ranks 6 --ranks-per-node 2 --root 3 --in-place"
                + " --blocks 2 -o " + file);
        assertEquals(0, run.code(), run.err());
        assertEquals(file + ": broadcast_two_level_6ranks_3nodes_root3_2blocks_inplace\n", run.out());
        assertEquals(
                ShippedProgram.TWO_LEVEL.plan(new ProgramSpec(Collective.BROADCAST, 6, 2, 3, true, 2)),
                PlanReader.read(file));
    }

    @Test
    void isProvedAndRunsBetweenNodes() {
        String file = folder.resolve("plan.json").toString();
        assertEquals(
                0,
                compile("two_level --collective allreduce --ranks 4 --ranks-per-node 2 -o " + file)
                        .code());
        CommandLineRun proof = CommandLineRun.of("plan", "verify", file);
        assertEquals(0, proof.code(), proof.out());
        CommandLineRun run = CommandLineRun.of("run", file, "--ranks-per-node", "2", "--size", "1000");
        assertEquals(0, run.code(), run.out() + run.err());
    }

    @Test
    void withoutAFileWritesToTheStandardOutput() {
        CommandLineRun run = compile("packets --collective allgather --ranks 2");
        assertEquals(0, run.code(), run.err());
        Plan plan = PlanReader.read(run.out(), "standard output");
        assertEquals(ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLGATHER, 2)), plan);
    }

    @Test
    void respectsTheLimitsOfMscclpp() {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 12);
        String arguments = "scratch --collective allreduce --ranks 12";
        CommandLineRun bounded = compile(arguments);
        assertEquals(
                ShippedProgram.SCRATCH.plan(spec.bounded(true)), PlanReader.read(bounded.out(), "standard output"));
        CommandLineRun unbounded = compile(arguments + " --unbounded");
        assertEquals(ShippedProgram.SCRATCH.plan(spec), PlanReader.read(unbounded.out(), "standard output"));
        assertEquals("", bounded.err() + unbounded.err());
    }

    @Test
    void reportsExceededLimitsOfMscclpp() {
        CommandLineRun run = compile("ring --collective allreduce --ranks 8");
        assertEquals(0, run.code(), run.err());
        assertEquals(
                "allreduce_ring_8ranks: not for MSCCL++: rank 0, block 0 has 77 operations; MSCCL++ supports 64\n",
                run.err());
    }

    @Test
    void badUsageSaysWhatIsAllowed() {
        refused("lightning --collective allreduce --ranks 2", "one of packets, direct");
        refused("ring --collective broadcast --ranks 2", "program ring of broadcast: there is none for broadcast");
        refused("two_level --collective allreduce --ranks 4", "it is for several nodes, and there is one");
        refused("two_level --collective allreduce --ranks 4 --ranks-per-node 3", "a divisor of 4");
        refused("port --collective reduce --ranks 2 --root 2", "root of reduce is 2; allowed: 0 to 1");
        refused("port --collective reduce --ranks 0", "--ranks is 0; allowed: 1 to 4096");
        refused("ring --collective allreduce --ranks 2147483647", "--ranks is 2147483647; allowed: 1 to 4096");
        refused(
                "packets --collective allreduce --ranks 3 --blocks 999999",
                "thread blocks is 999999; allowed: 1 to 1024");
        refused(
                "packets --collective allreduce --ranks 4 --ranks-per-node 2",
                "program packets of allreduce: it needs mapped memory of all peers, and there are 2 nodes; use port or"
                        + " two_level");
        refused("port --collective reduce", "--ranks is missing");
        refused("port --collective reduce --ranks 2 --blocks 0", "thread blocks");
        refused("port --ranks 2", "--collective");
    }

    private static void refused(String arguments, String reason) {
        CommandLineRun run = compile(arguments);
        assertEquals(2, run.code(), run.out());
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().contains(reason), run.err());
    }
}
