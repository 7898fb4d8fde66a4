package org.mscclj.device.kernels.plan;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.device.kernels.source.DeviceLibrary;

/**
 * The source of a kernel that executes a plan, for one type, reduction and packet format. Plans with the same block
 * shapes have the same kernel, on all ranks and for all sizes.
 *
 * @param source complete source without includes
 */
public record PlanKernel(String source) {
    /**
     * The name of the function that executes a rank's blocks. Its parameter is {@link LaunchHeader}, followed by the
     * table.
     */
    public static final String RUN = "mscclj_run";

    /** The name of the type that reduces by a switch in a kernel. */
    static final String SWITCH_REDUCTION = "PlanSwitch";

    /**
     * The kernel of a plan. Launches for which the code would be equal share a kernel: types of one size if nothing is
     * reduced, integers of one size if their sign does not matter, and packet formats if there are no packets.
     *
     * @param code the plan
     * @param type element type
     * @param op reduce operation; ignored if nothing is reduced
     * @param packets format of packets; ignored if there are none
     * @param tableWords words of the table behind the header; 0 if the table lies elsewhere
     * @param threads greatest number of threads of a block
     */
    public static PlanKernel of(
            PlanCode code, DataType type, ReduceOp.Kind op, PacketType packets, int tableWords, int threads) {
        StringBuilder text = new StringBuilder(begin(tableWords, "mscclj/plan.cuh"));
        if (code.isTraced()) {
            text.append("#include \"mscclj/trace.cuh\"\n");
        }
        if (code.usesSwitches()) {
            text.append("#include \"mscclj/multicast.cuh\"\n");
        }
        text.append("using PlanBlock = Block<")
                .append(types(code, type, op, packets))
                .append(">;\n");
        if (code.reducesBySwitch()) {
            text.append(switchReduction(code, type, op));
        }
        List<String> bodies = code.bodies();
        for (int shape = 0; shape < bodies.size(); shape++) {
            text.append("static __device__ __forceinline__ void shape" + shape + "(PlanBlock& block) {\n");
            text.append(bodies.get(shape)).append("}\n");
        }
        text.append(function(threads));
        text.append("    PlanBlock block(arguments.header, ")
                .append(table(tableWords))
                .append(");\n");
        text.append("    if (!block.begin()) {\n        return;\n    }\n    switch (block.shape()) {\n");
        for (int shape = 0; shape < bodies.size(); shape++) {
            text.append("        case " + shape + ": shape" + shape + "(block); break;\n");
        }
        text.append("    }\n    block.end();\n}\n");
        return new PlanKernel(DeviceLibrary.expand(text.toString()));
    }

    /**
     * The kernel of launches of a plan whose blocks are fused. Launches share kernels as those of {@link #of} do.
     *
     * @param code the plan
     * @param fused the same plan with fused blocks
     * @param type element type
     * @param op reduce operation; ignored if nothing is reduced
     * @param packets format of packets; empty for lines of 128 bytes
     * @param tableWords words of the table behind the header; 0 if the table lies elsewhere
     * @param threads greatest number of threads of a block
     */
    public static PlanKernel fused(
            PlanCode code,
            FusedCode fused,
            DataType type,
            ReduceOp.Kind op,
            Optional<PacketType> packets,
            int tableWords,
            int threads) {
        StringBuilder text = new StringBuilder(
                begin(tableWords, packets.isPresent() ? "mscclj/fusedpackets.cuh" : "mscclj/fusedlines.cuh"));
        text.append("using Fused = ")
                .append(packets.isPresent() ? "FusedPackets<" : "FusedLines<")
                .append(elementAndOperator(code, type, op))
                .append(packets.map(format -> ", " + format(code, format)).orElse(""));
        text.append(", ").append(fused.recordWords()).append(">;\n");
        List<String> bodies = fused.bodies();
        for (int shape = 0; shape < bodies.size(); shape++) {
            text.append("static __device__ __forceinline__ bool shape" + shape + "(Fused& block) {\n");
            text.append(bodies.get(shape)).append("}\n");
        }
        text.append(function(threads));
        text.append("    Fused block(arguments.header, ")
                .append(table(tableWords))
                .append(");\n");
        if (bodies.size() == 1) {
            text.append("    if (!shape0(block)) return;\n");
        } else {
            text.append("    switch (block.shape()) {\n");
            for (int shape = 0; shape < bodies.size(); shape++) {
                text.append("        case " + shape + ": if (!shape" + shape + "(block)) return; break;\n");
            }
            text.append("    }\n");
        }
        text.append("    block.end();\n}\n");
        return new PlanKernel(DeviceLibrary.expand(text.toString()));
    }

    /** The beginning of a source, with the structure of the kernel's parameter. */
    private static String begin(int tableWords, String header) {
        return "#include \"" + header + "\"\nusing namespace mscclj;\nstruct Arguments {\n    LaunchHeader header;\n"
                + (tableWords > 0 ? "    uint64 table[" + tableWords + "];\n" : "") + "};\n";
    }

    private static String function(int threads) {
        return "extern \"C\" __global__ void __launch_bounds__(" + threads + ") " + RUN
                + "(const MSCCLJ_GRID_CONSTANT Arguments given) {\n"
                + "    const Arguments& arguments = MSCCLJ_IN_PLACE(given);\n";
    }

    private static String table(int tableWords) {
        return tableWords > 0 ? "arguments.table" : "arguments.header.table";
    }

    /** The template arguments of a block: element type, operator and format of packets. */
    private static String types(PlanCode code, DataType type, ReduceOp.Kind op, PacketType packets) {
        return elementAndOperator(code, type, op) + ", " + format(code, packets);
    }

    private static String elementAndOperator(PlanCode code, DataType type, ReduceOp.Kind op) {
        ReduceOp.Kind combiner = code.combines() ? combiner(op) : ReduceOp.Kind.SUM;
        DataType element = isAnyOfItsSize(code, type, combiner) ? unsigned(type.byteSize()) : type;
        return elementAndOperator(element, combiner);
    }

    /** The device library's names of an element type and of an operator. */
    static String elementAndOperator(DataType element, ReduceOp.Kind combiner) {
        return element(element) + ", " + operator(element, combiner);
    }

    /**
     * Returns why launches of a plan load the memory of every member of a switch channel, although the channel has a
     * multicast address; empty if a switch reduces, or if the plan lets no switch reduce.
     *
     * @param architecture of the GPU: {@code sm_90}
     */
    public static Optional<String> switchObstacle(PlanCode code, DataType type, ReduceOp.Kind op, String architecture) {
        return code.reducesBySwitch() ? SwitchInstruction.obstacle(type, combiner(op), architecture) : Optional.empty();
    }

    /**
     * Returns the architecture for which the kernels of a plan are compiled, if channels have multicast addresses: the
     * GPU's own, or the part of it that has more instructions, if a switch reduces by one of these.
     *
     * @param architecture of the GPU: {@code sm_100}
     */
    public static String switchArchitecture(PlanCode code, DataType type, ReduceOp.Kind op, String architecture) {
        return code.reducesBySwitch() ? SwitchInstruction.compiledFor(type, combiner(op), architecture) : architecture;
    }

    /** What a switch does for a type and an operation, or that it does nothing. */
    private static String switchReduction(PlanCode code, DataType type, ReduceOp.Kind op) {
        ReduceOp.Kind combiner = combiner(op);
        DataType element = isAnyOfItsSize(code, type, combiner) ? unsigned(type.byteSize()) : type;
        return SwitchInstruction.of(element, combiner)
                .map(reduction -> reduction.definition(SWITCH_REDUCTION, elementAndOperator(element, combiner)) + "\n")
                .orElse("using " + SWITCH_REDUCTION + " = NoSwitchReduction;\n");
    }

    private static String format(PlanCode code, PacketType packets) {
        return "PacketType::" + (code.plan().usesPackets() ? packets : PacketType.LL16).name();
    }

    /** The device library's name of an element type. */
    static String element(DataType type) {
        return switch (type) {
            case FLOAT8_E4M3 -> "Float8E4m3Element";
            case FLOAT8_E5M2 -> "Float8E5m2Element";
            default ->
                type.label().substring(0, 1).toUpperCase(Locale.ROOT)
                        + type.label().substring(1) + "Element";
        };
    }

    /** Averages and premultiplied sums are sums until they are scaled. */
    private static ReduceOp.Kind combiner(ReduceOp.Kind op) {
        return op == ReduceOp.Kind.NOP ? ReduceOp.Kind.SUM : op.combiner();
    }

    /**
     * Whether the code depends only on the size of an element. Integers wrap, so their sign matters only for
     * comparisons.
     */
    private static boolean isAnyOfItsSize(PlanCode code, DataType type, ReduceOp.Kind combiner) {
        boolean compares = combiner == ReduceOp.Kind.MIN || combiner == ReduceOp.Kind.MAX;
        return !code.combines() || (!type.isFloat() && !compares);
    }

    private static DataType unsigned(int byteSize) {
        return switch (byteSize) {
            case 1 -> DataType.UINT8;
            case 2 -> DataType.UINT16;
            case 4 -> DataType.UINT32;
            default -> DataType.UINT64;
        };
    }

    private static String operator(DataType type, ReduceOp.Kind combiner) {
        return switch (combiner) {
            case SUM -> "Sum";
            case PRODUCT -> "Product";
            case MIN -> "Min";
            case MAX -> "Max";
            case BAND -> "BitAnd";
            case BOR -> "BitOr";
            case BXOR -> "BitXor";
            default ->
                throw new UnsupportedException("there is no reduction " + combiner + " on " + type + " for kernels");
        };
    }
}
