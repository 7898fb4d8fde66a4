package org.mscclj.conformance.scenario;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * One case of a rule: a value that fits on a line, from which the case can be run again.
 *
 * @param rule id of the rule that is checked
 * @param mode where the ranks live
 * @param world number of ranks
 * @param collective the collective
 * @param type element type
 * @param op how contributions are combined; nop if the collective only moves data
 * @param count elements of a slice: of the whole buffer, or of one rank's part
 * @param offset elements by which buffers are moved from a boundary of 4,096 bytes
 * @param inPlace whether input and output share memory
 * @param registered whether buffers come from the communicator rather than from the device
 * @param root the root of a rooted collective, else 0
 * @param data the numbers of which inputs consist
 * @param seed seed of the inputs
 * @param program the algorithm that the call names; empty if the communicator chooses
 * @param graph whether launches are replays of a graph, where the rule is about results
 */
public record TestCase(
        String rule,
        Mode mode,
        int world,
        Collective collective,
        DataType type,
        ReduceOp op,
        long count,
        int offset,
        boolean inPlace,
        boolean registered,
        int root,
        DataShape data,
        long seed,
        Optional<String> program,
        boolean graph) {
    private static final long COUNT_OF_A_RANK = 64;

    /**
     * Returns an allreduce of 64 elements for each rank, out of place, with registered buffers, from which every rule
     * starts.
     */
    public static TestCase of(String rule, Mode mode, int world, DataType type, long seed) {
        return new TestCase(
                rule,
                mode,
                world,
                Collective.ALLREDUCE,
                type,
                ReduceOp.SUM,
                COUNT_OF_A_RANK * world,
                0,
                false,
                true,
                0,
                DataShape.EXACT,
                seed,
                Optional.empty(),
                false);
    }

    /** Returns the number of elements of all ranks' buffers together. */
    public long elements() {
        return world * count * ((long) collective.inputSlices(world) + collective.outputSlices(world));
    }

    /** Returns a copy for another rule. */
    public TestCase rule(String rule) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with another number of ranks, and with 64 elements for each. */
    public TestCase world(int world) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                COUNT_OF_A_RANK * world,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with another collective. A collective that reduces keeps the operation, or sums. */
    public TestCase collective(Collective collective) {
        ReduceOp chosen = !collective.reduces() ? ReduceOp.NOP : op.equals(ReduceOp.NOP) ? ReduceOp.SUM : op;
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                chosen,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with another type. */
    public TestCase type(DataType type) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with another operation. */
    public TestCase op(ReduceOp op) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with another count. */
    public TestCase count(long count) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with buffers at another offset. */
    public TestCase offset(int offset) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy that is in place or not. */
    public TestCase inPlace(boolean inPlace) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with registered or with plain buffers. */
    public TestCase registered(boolean registered) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with another root. */
    public TestCase root(int root) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with other data. */
    public TestCase data(DataShape data) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy with another seed. */
    public TestCase seed(long seed) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy whose call names an algorithm. */
    public TestCase program(String name) {
        Optional<String> program = Optional.of(name);
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns a copy that is launched by graphs or not. */
    public TestCase graph(boolean graph) {
        return new TestCase(
                rule,
                mode,
                world,
                collective,
                type,
                op,
                count,
                offset,
                inPlace,
                registered,
                root,
                data,
                seed,
                program,
                graph);
    }

    /** Returns the number of elements of an input. */
    public long inputCount() {
        return count * collective.inputSlices(world);
    }

    /** Returns the number of elements of an output. */
    public long outputCount() {
        return count * collective.outputSlices(world);
    }

    /** Returns the number of bytes of an input. */
    public long inputBytes() {
        return inputCount() * type.byteSize();
    }

    /** Returns the number of bytes of an output. */
    public long outputBytes() {
        return outputCount() * type.byteSize();
    }

    /** Returns the bytes that all ranks together allocate for one call. */
    public long memoryBytes() {
        return world * (inPlace ? Math.max(inputBytes(), outputBytes()) : inputBytes() + outputBytes());
    }

    /** Returns the case on one line: pairs of name and value separated by spaces, which {@link #parse} reads. */
    public String line() {
        return TestCaseLine.of(this);
    }

    /**
     * Returns the case of a line.
     *
     * @throws InvalidArgumentException if the line is not one that {@link #line} makes; names what is wrong
     */
    public static TestCase parse(String line) {
        return TestCaseLine.parse(line);
    }

    @Override
    public String toString() {
        return line();
    }
}
