import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.device.kernels.plan.PlanCode;
import org.mscclj.device.kernels.plan.PlanKernel;
import org.mscclj.device.kernels.plan.ScaleKernel;
import org.mscclj.device.kernels.source.UserSource;
import org.mscclj.device.kernels.trace.ClockKernel;
import org.mscclj.device.kernels.transfer.TransferKernel;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.spi.engine.SumForm;

/** Writes the sources of kernels as engines have them: WriteKernels FOLDER [USER'S SOURCE…], on the class path of the command. */
class WriteKernels {
    private static final int THREADS = 512;
    private static final int WORDS = 448;

    private final Path folder;

    private WriteKernels(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] arguments) throws IOException {
        WriteKernels kernels = new WriteKernels(Path.of(arguments[0]));
        kernels.programs();
        kernels.types();
        kernels.operations();
        kernels.lines();
        kernels.others();
        for (String file : List.of(arguments).subList(1, arguments.length)) {
            Path source = Path.of(file);
            kernels.write("user-" + source.getFileName().toString().replace(".cu", ""), UserSource.of(source).text());
        }
    }

    /** Each program, for eight ranks. */
    private void programs() throws IOException {
        for (ShippedProgram program : ShippedProgram.values()) {
            for (Collective collective : program.collectives()) {
                ProgramSpec spec = ProgramSpec.of(collective, 8).ranksPerNode(program == ShippedProgram.TWO_LEVEL ? 4 : 8);
                boolean isSample = collective == Collective.ALLREDUCE || program.collectives().size() < 3
                        || (program == ShippedProgram.PACKETS && collective == Collective.ALLTOALL);
                if (isSample && !program.usesLines()) {
                    general("plan-" + program.label() + "-" + collective.name().toLowerCase(), program.plan(spec), DataType.FLOAT16, ReduceOp.Kind.SUM);
                }
            }
        }
    }

    /** Each type of elements, as plain data and as packets of fused blocks. */
    private void types() throws IOException {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 4);
        for (DataType type : DataType.values()) {
            general("type-" + type.label(), ShippedProgram.DIRECT.plan(spec), type, ReduceOp.Kind.SUM);
            fused("fused-" + type.label(), ShippedProgram.PACKETS, spec, type, Optional.of(PacketType.LL16));
        }
        fused("fused-two_shot", ShippedProgram.PACKETS_TWO_SHOT, spec, DataType.FLOAT16, Optional.of(PacketType.LL16));
        fused("fused-ll8", ShippedProgram.PACKETS, spec, DataType.FLOAT16, Optional.of(PacketType.LL8));
        fused("fused-8ranks", ShippedProgram.PACKETS, ProgramSpec.of(Collective.ALLREDUCE, 8), DataType.FLOAT16, Optional.of(PacketType.LL16));
    }

    private void operations() throws IOException {
        var plan = ShippedProgram.DIRECT.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
        for (ReduceOp.Kind op : List.of(ReduceOp.Kind.PRODUCT, ReduceOp.Kind.MIN, ReduceOp.Kind.MAX)) {
            for (DataType type : List.of(DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT8_E5M2, DataType.INT64)) {
                general("op-" + op.name().toLowerCase() + "-" + type.label(), plan, type, op);
            }
        }
        for (ReduceOp.Kind op : List.of(ReduceOp.Kind.BAND, ReduceOp.Kind.BOR, ReduceOp.Kind.BXOR)) {
            general("op-" + op.name().toLowerCase() + "-int8", plan, DataType.INT8, op);
        }
    }

    private void lines() throws IOException {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 4);
        for (DataType type : List.of(DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT8_E4M3)) {
            fused("lines-" + type.label(), ShippedProgram.PACKETS_LL128, spec, type, Optional.empty());
        }
        fused("lines-two_shot", ShippedProgram.PACKETS_TWO_SHOT_LL128, spec, DataType.BFLOAT16, Optional.empty());
    }

    private void others() throws IOException {
        for (int words : List.of(0, 192)) {
            write("transfer-" + words, TransferKernel.of(words, false).source());
        }
        write("transfer-traced", TransferKernel.of(0, true).source());
        write("clock", ClockKernel.create().source());
        PlanCode traced = PlanCode.of(
                ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLREDUCE, 4)), Optional.of(String::length));
        write("plan-traced", PlanKernel.of(traced, DataType.FLOAT32, ReduceOp.Kind.SUM, PacketType.LL16, 0, THREADS).source());
        for (DataType type : List.of(
                DataType.INT8, DataType.UINT32, DataType.INT64, DataType.FLOAT8_E4M3, DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64)) {
            for (ReduceOp.Kind op : List.of(ReduceOp.Kind.AVG, ReduceOp.Kind.PREMUL_SUM)) {
                SumForm form = SumForm.of(type, op, 3);
                String name = "scale-" + op.name().toLowerCase() + "-" + type.label();
                write(name + "-in", ScaleKernel.of(type, form, true).source());
                if (op == ReduceOp.Kind.AVG) {
                    write(name + "-out", ScaleKernel.of(type, form, false).source());
                }
            }
        }
    }

    private void general(String name, org.mscclj.plan.Plan plan, DataType type, ReduceOp.Kind op) throws IOException {
        write(name, PlanKernel.of(PlanCode.of(plan), type, op, PacketType.LL16, WORDS, THREADS).source());
    }

    private void fused(String name, ShippedProgram program, ProgramSpec spec, DataType type, Optional<PacketType> packets)
            throws IOException {
        PlanCode code = PlanCode.of(program.plan(spec));
        write(name, PlanKernel.fused(code, code.fused().orElseThrow(), type, ReduceOp.Kind.SUM, packets, WORDS, THREADS).source());
    }

    private void write(String name, String source) throws IOException {
        Files.writeString(folder.resolve(name + ".cu"), source);
    }
}
