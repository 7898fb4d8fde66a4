package org.mscclj.runtime.process;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.bootstrap.Placement;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.execution.environment.TuningSetting;
import org.mscclj.runtime.signature.SignatureCode;

/**
 * Settings that must be equal on all ranks that open a communicator.
 *
 * @param members members of the quorum; empty if there is none
 * @param ranksPerNode the number that the launcher configures; −1 if the ranks detect their nodes
 * @param warmUp the classes of calls that are set up at opening
 * @param tuning the digest of the measured choices of programs; empty if there are none
 * @param lines whether the device sends packets as lines of 128 bytes
 * @param rings whether large allreduces go around a ring, because of the links of the host
 */
record OpeningSignature(
        String name,
        Optional<List<Integer>> members,
        int ranksPerNode,
        String backend,
        long scratchLimit,
        int firstFlag,
        PlanVerification verification,
        boolean checksCalls,
        List<WarmUp> warmUp,
        String tuning,
        boolean lines,
        boolean rings) {
    /** Returns the signature of a rank. */
    static OpeningSignature of(
            CommunicatorOptions options, ExecutorOptions limits, String backend, ProgramPreference preference) {
        return new OpeningSignature(
                options.name(),
                options.quorum().map(Quorum::members),
                options.position().placement() == Placement.TOLD
                        ? options.position().ranksPerNode()
                        : -1,
                backend,
                limits.scratchLimit(),
                limits.firstFlag(),
                limits.verification(),
                limits.checksCalls(),
                options.warmUp(),
                limits.tuning().digest(),
                preference.hasLines(),
                preference.hasRings());
    }

    byte[] encode() {
        return SignatureCode.OPENING.encode(out -> {
            Wire.writeText(out, name);
            out.writeBoolean(members.isPresent());
            Wire.writeRanks(out, members.orElse(List.of()));
            out.writeInt(ranksPerNode);
            out.writeUTF(backend);
            out.writeLong(scratchLimit);
            out.writeInt(firstFlag);
            out.writeUTF(verification.name());
            out.writeBoolean(checksCalls);
            writeWarmUp(out);
            out.writeUTF(tuning);
            out.writeBoolean(lines);
            out.writeBoolean(rings);
        });
    }

    static OpeningSignature decode(byte[] signature) {
        return SignatureCode.OPENING.decode(signature, in -> {
            String name = in.readUTF();
            boolean quorum = SignatureCode.readBoolean(in);
            List<Integer> members = new ArrayList<>(Wire.readRanks(in));
            return new OpeningSignature(
                    name,
                    quorum ? Optional.of(members) : Optional.empty(),
                    in.readInt(),
                    in.readUTF(),
                    in.readLong(),
                    in.readInt(),
                    SignatureCode.read(PlanVerification.class, in),
                    SignatureCode.readBoolean(in),
                    readWarmUp(in),
                    in.readUTF(),
                    SignatureCode.readBoolean(in),
                    SignatureCode.readBoolean(in));
        });
    }

    private void writeWarmUp(DataOutputStream out) throws IOException {
        out.writeInt(warmUp.size());
        for (WarmUp of : warmUp) {
            out.writeUTF(of.collective().name());
            out.writeUTF(of.type().name());
            out.writeUTF(of.op().name());
            out.writeInt(of.root());
            out.writeBoolean(of.inPlace());
            out.writeLong(of.maxBytes());
        }
    }

    private static List<WarmUp> readWarmUp(DataInputStream in) throws IOException {
        List<WarmUp> warmUp = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            warmUp.add(new WarmUp(
                    SignatureCode.read(Collective.class, in),
                    SignatureCode.read(DataType.class, in),
                    SignatureCode.read(ReduceOp.Kind.class, in),
                    in.readInt(),
                    SignatureCode.readBoolean(in),
                    in.readLong()));
        }
        return warmUp;
    }

    /** Describes the communicator that is opened. */
    String describe() {
        return "communicator " + name
                + members.map(ranks -> " of members " + ranks).orElse("")
                + (ranksPerNode >= 0 ? ", " + ranksPerNode + " ranks per node" : ", nodes found by the ranks")
                + ", backend " + backend + ", at most " + scratchLimit + " bytes of scratch ("
                + ExecutorOptions.SCRATCH_LIMIT_VARIABLE + "), first flag " + firstFlag
                + ", verification of plans " + verification + " (" + PlanVerification.VARIABLE
                + "), comparison of calls " + (checksCalls ? "on" : "off") + " (" + ExecutorOptions.CHECK_VARIABLE
                + "), " + (warmUp.isEmpty() ? "no warm-up" : "warm-up " + warmUp) + ", "
                + (tuning.isEmpty() ? "no measured choices" : "measured choices " + tuning) + " ("
                + TuningSetting.VARIABLE + "), lines of 128 bytes " + (lines ? "on" : "off or none") + " ("
                + ProgramPreference.LineUse.VARIABLE + ")"
                + (rings ? ", rings by the links of the host (mscclj info shows them)" : "");
    }
}
