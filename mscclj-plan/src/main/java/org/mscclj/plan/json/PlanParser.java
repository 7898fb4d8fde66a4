package org.mscclj.plan.json;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/** Parses the top level of a plan file. */
final class PlanParser {
    private static final ObjectShape SHAPE = ObjectShape.of(
            List.of("name", "collective", "protocol", "inplace", "gpus"),
            List.of(
                    "reuse_resources",
                    "num_threads_per_block",
                    "use_double_scratch_buffer",
                    "buffer_alignment",
                    "min_message_size",
                    "max_message_size"));

    private final JsonCursor in;
    private String name = "";
    private @Nullable Collective collective;
    private @Nullable Protocol protocol;
    private boolean inPlace;
    private boolean reuseResources;
    private int threadsPerBlock = 1024;
    private boolean doubleScratch;
    private int alignment = 16;
    private long minMessageSize;
    private long maxMessageSize = -1;
    private List<RankPlan> ranks = List.of();

    private PlanParser(JsonCursor in) {
        this.in = in;
    }

    static Plan plan(JsonCursor in) {
        return new PlanParser(in).read();
    }

    private Plan read() {
        in.object(SHAPE, this::value);
        if (collective == null || protocol == null) {
            throw in.missing("collective or protocol");
        }
        return new Plan(
                name,
                collective,
                protocol,
                inPlace,
                reuseResources,
                threadsPerBlock,
                doubleScratch,
                alignment,
                minMessageSize,
                maxMessageSize,
                ranks);
    }

    private void value(String key) {
        switch (key) {
            case "name" -> name = in.string();
            case "collective" -> collective = in.oneOf(Names.COLLECTIVES);
            case "protocol" -> protocol = in.oneOf(Names.PROTOCOLS);
            case "inplace" -> inPlace = in.bool();
            case "gpus" -> ranks = in.list(() -> RankParser.rank(in));
            case "reuse_resources" -> reuseResources = in.bool();
            case "num_threads_per_block" -> threadsPerBlock = in.count();
            case "use_double_scratch_buffer" -> doubleScratch = in.bool();
            case "buffer_alignment" -> alignment = in.count();
            case "min_message_size" -> minMessageSize = in.unsignedLong();
            case "max_message_size" -> maxMessageSize = in.unsignedLong();
            default -> throw new AssertionError(key);
        }
    }
}
