package org.mscclj.device.kernels.plan;

import java.util.Optional;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A reduction by an NVLink switch: the instruction that combines a unit of the memory of all members of a group. This
 * is the only place that says which types and operations have one; PTX 9.0 and its assembler are the source.
 *
 * <p>Products, minimum and maximum of float32 and float64, and sums, minimum and maximum of integers of 8 and 16 bits
 * have no instruction. Bits are combined 64 at a time, whatever the size of the elements.
 *
 * @param architecture the first architecture that has it: 900 for {@code sm_90}; from 1000 on only the architectures
 *     for one GPU or one family have it, such as {@code sm_100a}
 * @param unit the device library's name of the unit that an instruction combines
 * @param instruction what follows {@code multimem.ld_reduce.relaxed.sys.global.}, and without the precision of the sum
 *     what follows {@code multimem.red.relaxed.sys.global.}
 * @param exact whether results are those of {@code docs/SPEC.md}
 */
record SwitchInstruction(int architecture, String unit, String instruction, boolean exact) {
    private static final int HOPPER = 900;
    private static final int BLACKWELL = 1000;

    private static final String WORD = "uint32";
    private static final String PAIR = "Words2";
    private static final String VECTOR = "Words4";

    /** The reduction for results as {@code docs/SPEC.md} demands them; empty if every member is to be loaded. */
    static Optional<SwitchInstruction> of(DataType type, ReduceOp.Kind combiner) {
        return instruction(type, combiner).filter(SwitchInstruction::exact);
    }

    /**
     * Why every member is loaded; empty if a switch reduces.
     *
     * @param gpu the architecture of the GPU, such as {@code sm_90}
     */
    static Optional<String> obstacle(DataType type, ReduceOp.Kind combiner, String gpu) {
        Optional<SwitchInstruction> instruction = instruction(type, combiner);
        String what = combiner + " of " + type.label();
        if (instruction.isEmpty()) {
            return Optional.of("switches have no " + what);
        }
        if (!instruction.get().exact()) {
            return Optional.of("switches may lose NaN in " + what);
        }
        return number(gpu) < instruction.get().architecture()
                ? Optional.of("switches have " + what + " from sm_"
                        + instruction.get().architecture() / 10 + " on, not on " + gpu)
                : Optional.empty();
    }

    /** The architecture for which a kernel is compiled that uses the instruction, if a GPU has it. */
    static String compiledFor(DataType type, ReduceOp.Kind combiner, String gpu) {
        boolean isOfOneGpu = of(type, combiner)
                .filter(reduction -> reduction.architecture() >= BLACKWELL && reduction.architecture() <= number(gpu))
                .isPresent();
        return isOfOneGpu ? gpu + "a" : gpu;
    }

    /** 900 for {@code sm_90}; 0 for what is no architecture of NVIDIA. */
    private static int number(String gpu) {
        return gpu.matches("sm_[0-9]{2,3}") ? 10 * Integer.parseInt(gpu.substring("sm_".length())) : 0;
    }

    /** The instruction for a type and an operation; empty if there is none. */
    static Optional<SwitchInstruction> instruction(DataType type, ReduceOp.Kind combiner) {
        return switch (combiner) {
            case SUM -> sum(type);
            case MIN -> extreme(type, "min");
            case MAX -> extreme(type, "max");
            case BAND -> bits(type, "and.b64");
            case BOR -> bits(type, "or.b64");
            case BXOR -> bits(type, "xor.b64");
            default -> Optional.empty();
        };
    }

    private static Optional<SwitchInstruction> sum(DataType type) {
        return switch (type) {
            case FLOAT16 -> exact(VECTOR, "add.acc::f32.v4.f16x2");
            case BFLOAT16 -> exact(VECTOR, "add.acc::f32.v4.bf16x2");
            case FLOAT32 -> exact(VECTOR, "add.v4.f32");
            case FLOAT64 -> exact(PAIR, "add.f64");
            case FLOAT8_E4M3 -> Optional.of(new SwitchInstruction(BLACKWELL, VECTOR, "add.acc::f16.v4.e4m3x4", true));
            case FLOAT8_E5M2 -> Optional.of(new SwitchInstruction(BLACKWELL, VECTOR, "add.acc::f16.v4.e5m2x4", true));
            case INT32, UINT32 -> exact(WORD, "add.u32");
            case INT64, UINT64 -> exact(PAIR, "add.u64");
            default -> Optional.empty();
        };
    }

    /** PTX does not say that NaN wins, or that -0 is less than +0. */
    private static Optional<SwitchInstruction> extreme(DataType type, String operation) {
        return switch (type) {
            case FLOAT16 -> Optional.of(new SwitchInstruction(HOPPER, VECTOR, operation + ".v4.f16x2", false));
            case BFLOAT16 -> Optional.of(new SwitchInstruction(HOPPER, VECTOR, operation + ".v4.bf16x2", false));
            case FLOAT8_E4M3 -> Optional.of(new SwitchInstruction(BLACKWELL, VECTOR, operation + ".v4.e4m3x4", false));
            case FLOAT8_E5M2 -> Optional.of(new SwitchInstruction(BLACKWELL, VECTOR, operation + ".v4.e5m2x4", false));
            case INT32 -> exact(WORD, operation + ".s32");
            case UINT32 -> exact(WORD, operation + ".u32");
            case INT64 -> exact(PAIR, operation + ".s64");
            case UINT64 -> exact(PAIR, operation + ".u64");
            default -> Optional.empty();
        };
    }

    private static Optional<SwitchInstruction> bits(DataType type, String instruction) {
        return type.isFloat() ? Optional.empty() : exact(PAIR, instruction);
    }

    private static Optional<SwitchInstruction> exact(String unit, String instruction) {
        return Optional.of(new SwitchInstruction(HOPPER, unit, instruction, true));
    }

    /**
     * The line that defines a type of the device library that combines a value with the memory of all members; empty if
     * there is no instruction for it.
     */
    Optional<String> update(String name, String elementAndOperator) {
        // memory has no wider sum, and fp8 and minimum and maximum of floats have none of these instructions
        return exact && architecture < BLACKWELL
                ? Optional.of("MSCCLJ_SWITCH_UPDATE(" + name + ", " + architecture + ", " + unit + ", \""
                        + instruction.replace(".acc::f32", "") + "\", " + elementAndOperator + ")")
                : Optional.empty();
    }

    /** The line that defines a type of the device library for it. */
    String definition(String name, String elementAndOperator) {
        return "MSCCLJ_SWITCH_REDUCTION(" + name + ", " + architecture + ", " + unit + ", \"" + instruction + "\", "
                + elementAndOperator + ")";
    }
}
