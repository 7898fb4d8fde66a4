package org.mscclj.plan.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Prints a plan as text: its header, and every rank and block in full. Positions count from 0, as in messages about
 * plans; {@code i[2]} is chunk 2 of the input, and {@code s[4:6]} are chunks 4 and 5 of scratch.
 */
public final class PlanPrinter {
    private final Plan plan;
    private final StringBuilder out = new StringBuilder();

    private PlanPrinter(Plan plan) {
        this.plan = plan;
    }

    /** The text of a valid plan. Lines end with a newline. */
    public static String print(Plan plan) {
        PlanPrinter printer = new PlanPrinter(plan);
        printer.header();
        for (RankPlan rank : plan.ranks()) {
            printer.rank(rank);
        }
        return printer.out.toString();
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private void header() {
        line("plan " + PlainText.escape(plan.name()));
        field("collective", plan.collective().label() + (plan.inPlace() ? ", in place" : ", out of place"));
        field("ranks", String.valueOf(plan.worldSize()));
        field("protocol", plan.protocol().label());
        field("message size", MessageSizeRange.text(plan.minMessageSize(), plan.maxMessageSize()));
        field("alignment", plan.bufferAlignment() + " bytes");
        field("scratch", scratch());
        field("thread block", plan.threadsPerBlock() + " threads");
    }

    private String scratch() {
        List<String> words = new ArrayList<>();
        boolean any = plan.ranks().stream().anyMatch(rank -> rank.scratchChunks() > 0);
        words.add(any ? (plan.doubleScratch() ? "two halves, used by turns" : "one area") : "none");
        if (plan.reuseResources()) {
            words.add("contexts shared over buffers");
        }
        return String.join(", ", words);
    }

    private void field(String name, String value) {
        line(String.format(Locale.ROOT, "  %-16s %s", name, value));
    }

    private void rank(RankPlan rank) {
        line("");
        line("rank " + rank.rank() + ": " + rank.inputChunks() + " input, " + rank.outputChunks() + " output, "
                + rank.scratchChunks() + " scratch chunks");
        list(
                "memory channels",
                rank.memoryChannelPeers().stream().map(peer -> "rank " + peer).toList());
        list(
                "port channels",
                rank.portChannelPeers().stream().map(peer -> "rank " + peer).toList());
        list(
                "switch channels",
                rank.switchGroups().stream()
                        .map(group -> group.buffer().letter() + " of ranks " + OperationText.plain(group.ranks()))
                        .toList());
        list(
                "remote buffers",
                rank.remoteBuffers().stream()
                        .map(buffer ->
                                "rank " + buffer.rank() + " " + buffer.buffer().letter() + " ("
                                        + buffer.accessTypes().stream()
                                                .map(ChannelType::label)
                                                .collect(Collectors.joining(", "))
                                        + ")")
                        .toList());
        list(
                "semaphores",
                rank.semaphoreInitialValues().stream()
                        .map(value -> "starts at " + value)
                        .toList());
        for (ThreadBlock block : rank.threadBlocks()) {
            block(rank, block);
        }
    }

    /** Prints a list whose elements are numbered by their ids; prints nothing if it is empty. */
    private void list(String name, List<String> values) {
        if (!values.isEmpty()) {
            field(
                    name,
                    IntStream.range(0, values.size())
                            .mapToObj(id -> "#" + id + " " + values.get(id))
                            .collect(Collectors.joining(", ")));
        }
    }

    private void block(RankPlan rank, ThreadBlock block) {
        line("  block " + block.id());
        operations(block.operations(), new OperationText(rank, block), "    ");
    }

    private void operations(List<Operation> operations, OperationText text, String indent) {
        int width = String.valueOf(Math.max(0, operations.size() - 1)).length();
        for (int i = 0; i < operations.size(); i++) {
            line(indent + String.format(Locale.ROOT, "%" + width + "d  ", i) + text.of(operations.get(i)));
            if (operations.get(i) instanceof Operation.Pipeline pipeline) {
                operations(pipeline.operations(), text, indent + " ".repeat(width + 4));
            }
        }
    }
}
