package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** Advice about {@code --op} is given only where the option was given. */
class GivenReduceOpTest {
    /** A single rank, which reduces its input with itself into scratch, twice. */
    private static Plan plan(String first, String second) {
        String reduce = """
                {"name": "re", "src_buff": [{"type": "i", "index": 0, "size": 1}, {"type": "i", "index": 0, "size": 1}],
                 "dst_buff": [{"type": "s", "index": 0, "size": 1}], "reduce_op": "%s"}""";
        return PlanReader.read(
                """
                {"name": "two", "collective": "allreduce", "protocol": "Simple", "inplace": false, "gpus": [
                  {"id": 0, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 1, "channels": [], "remote_buffers": [],
                   "threadblocks": [{"id": 0, "channels": [], "remote_buffer_refs": [], "ops": [""" + reduce.replace("%s", first) + ", " + reduce.replace("%s", second) + "]}]}]}", "two");
    }

    private static String refusal(Plan plan, Optional<ReduceOp> given) {
        return assertThrows(InvalidArgumentException.class, () -> GivenReduceOp.of(plan, given, DataType.FLOAT32))
                .getMessage();
    }

    @Test
    void aPlanThatFixesTwoOperationsCannotRun() {
        String expected =
                "plan two cannot run: rank 0, block 0, op 0 fixes max and rank 0, block 0, op 1 fixes min, and"
                        + " a call has"
                        + " one reduce operation; let all operations of the plan fix the same one, or none";
        assertEquals(expected, refusal(plan("max", "min"), Optional.empty()));
        assertEquals(expected, refusal(plan("max", "min"), Optional.of(ReduceOp.SUM)));
        assertEquals(expected, refusal(plan("max", "min"), Optional.of(ReduceOp.MAX)));
    }

    @Test
    void anotherOperationThanTheFixedOneIsRefused() {
        assertEquals(
                "--op is sum, but plan two fixes max; leave --op out",
                refusal(plan("max", "max"), Optional.of(ReduceOp.SUM)));
    }

    @Test
    void theFixedOperationIsTheDefault() {
        assertEquals(ReduceOp.MAX, GivenReduceOp.of(plan("max", "max"), Optional.empty(), DataType.FLOAT32));
    }
}
