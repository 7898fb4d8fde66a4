package org.mscclj.runtime.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.bootstrap.Placement;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.signature.SignatureCode;

/**
 * Settings that must be equal on all ranks that open a communicator.
 *
 * @param members members of the quorum; empty if there is none
 * @param ranksPerNode the number that the launcher configures; −1 if the ranks detect their nodes
 */
record OpeningSignature(
        String name,
        Optional<List<Integer>> members,
        int ranksPerNode,
        String backend,
        long scratchLimit,
        int firstFlag,
        PlanVerification verification,
        boolean checksCalls) {
    /** Returns the signature of a rank. */
    static OpeningSignature of(CommunicatorOptions options, ExecutorOptions limits, String backend) {
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
                limits.checksCalls());
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
                    SignatureCode.readBoolean(in));
        });
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
                + ")";
    }
}
