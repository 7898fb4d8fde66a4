package org.mscclj.runtime.mesh;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.mscclj.runtime.agreement.Stand;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.Wire;

/**
 * Frames that ranks send each other over a control connection. Rank numbers in a frame are ranks of the communicator
 * that the frame names.
 */
sealed interface MeshFrame {
    /** A frame about one communicator. */
    sealed interface OfGroup extends MeshFrame {
        /** Returns the communicator's id. */
        String group();

        /** Returns the sender's rank in the communicator. */
        int from();
    }

    /** A contribution to a collective call. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Contribution(String group, int from, long number, Topic topic, byte[] bytes) implements OfGroup {}

    /** Withdraws a contribution. */
    record Withdrawal(String group, int from, long number) implements OfGroup {}

    /** A message to one rank. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Message(String group, int from, Topic topic, byte[] bytes) implements OfGroup {}

    /** A question to one rank about its launches. */
    record LaunchQuestion(String group, int from, long question, long sequence) implements OfGroup {}

    /** The answer to a question about launches. */
    record LaunchAnswer(String group, int from, long question, LaunchReport report) implements OfGroup {}

    /** The communicator is aborted on request. */
    record Abort(String group, int from, String reason) implements OfGroup {}

    /** The communicator is aborted because a rank cannot go on. */
    record Failure(String group, int from, String reason) implements OfGroup {}

    /** The communicator is aborted because an operation was late. */
    record Expiry(String group, int from, String reason, List<Integer> missing) implements OfGroup {}

    /**
     * The communicator has lost a rank. The witness is the sender, or another rank that has reported the loss to it.
     */
    record Loss(String group, int from, int lost, int witness, String how) implements OfGroup {}

    /**
     * State of the sender in a call of shrink. The frame is a question if the question's number is not 0, and an answer
     * if it names a question.
     */
    record Standing(String group, int from, Stand stand, long question, long answer) implements OfGroup {}

    /** The sender has closed the communicator, after this many launches of all ranks. */
    record Departure(String group, int from, long launches) implements OfGroup {}

    /** The sender ends in an orderly way, and sends nothing more. */
    record Goodbye() implements MeshFrame {}

    /** The sender has read everything up to the peer's goodbye, and sends nothing more. */
    record GoodbyeSeen() implements MeshFrame {}

    /** Encodes a frame. */
    static byte[] encode(MeshFrame frame) {
        return Wire.encode(out -> {
            switch (frame) {
                case Contribution f -> {
                    out.writeByte('C');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    out.writeLong(f.number);
                    f.topic.write(out);
                    Wire.writeBytes(out, f.bytes);
                }
                case Withdrawal f -> {
                    out.writeByte('W');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    out.writeLong(f.number);
                }
                case Message f -> {
                    out.writeByte('M');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    f.topic.write(out);
                    Wire.writeBytes(out, f.bytes);
                }
                case Abort f -> {
                    out.writeByte('A');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    Wire.writeText(out, f.reason);
                }
                case Failure f -> {
                    out.writeByte('F');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    Wire.writeText(out, f.reason);
                }
                case Expiry f -> {
                    out.writeByte('T');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    Wire.writeText(out, f.reason);
                    Wire.writeRanks(out, f.missing);
                }
                case Loss f -> {
                    out.writeByte('X');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    out.writeInt(f.lost);
                    out.writeInt(f.witness);
                    Wire.writeText(out, f.how);
                }
                case Standing f -> {
                    out.writeByte('P');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    writeStand(out, f.stand);
                    out.writeLong(f.question);
                    out.writeLong(f.answer);
                }
                case Departure f -> {
                    out.writeByte('D');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    out.writeLong(f.launches);
                }
                case LaunchQuestion f -> {
                    out.writeByte('Q');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    out.writeLong(f.question);
                    out.writeLong(f.sequence);
                }
                case LaunchAnswer f -> {
                    out.writeByte('L');
                    out.writeUTF(f.group);
                    out.writeInt(f.from);
                    out.writeLong(f.question);
                    out.writeLong(f.report.launches());
                    out.writeLong(f.report.completed());
                    out.writeLong(f.report.signature());
                    Wire.writeText(out, f.report.called());
                    Wire.writeText(out, f.report.lastCompleted());
                    Wire.writeText(out, f.report.messages());
                    Wire.writeRanks(out, f.report.awaited());
                    Wire.writeText(out, f.report.controlCall());
                    Wire.writeRanks(out, f.report.callAwaits());
                }
                case Goodbye() -> out.writeByte('G');
                case GoodbyeSeen() -> out.writeByte('S');
            }
        });
    }

    /** Decodes a frame. */
    static MeshFrame decode(byte[] bytes) {
        return Wire.decode(bytes, in -> switch (in.readByte()) {
            case 'C' -> new Contribution(in.readUTF(), in.readInt(), in.readLong(), Topic.read(in), Wire.readBytes(in));
            case 'W' -> new Withdrawal(in.readUTF(), in.readInt(), in.readLong());
            case 'M' -> new Message(in.readUTF(), in.readInt(), Topic.read(in), Wire.readBytes(in));
            case 'A' -> new Abort(in.readUTF(), in.readInt(), in.readUTF());
            case 'F' -> new Failure(in.readUTF(), in.readInt(), in.readUTF());
            case 'X' -> new Loss(in.readUTF(), in.readInt(), in.readInt(), in.readInt(), in.readUTF());
            case 'P' -> new Standing(in.readUTF(), in.readInt(), readStand(in), in.readLong(), in.readLong());
            case 'D' -> new Departure(in.readUTF(), in.readInt(), in.readLong());
            case 'Q' -> new LaunchQuestion(in.readUTF(), in.readInt(), in.readLong(), in.readLong());
            case 'L' ->
                new LaunchAnswer(
                        in.readUTF(),
                        in.readInt(),
                        in.readLong(),
                        new LaunchReport(
                                        in.readLong(),
                                        in.readLong(),
                                        in.readLong(),
                                        in.readUTF(),
                                        in.readUTF(),
                                        in.readUTF(),
                                        Wire.readRanks(in))
                                .within(in.readUTF(), Wire.readRanks(in)));
            case 'T' -> new Expiry(in.readUTF(), in.readInt(), in.readUTF(), Wire.readRanks(in));
            case 'G' -> new Goodbye();
            case 'S' -> new GoodbyeSeen();
            default -> throw new IOException("a frame of unknown kind");
        });
    }

    private static void writeStand(DataOutputStream out, Stand stand) throws IOException {
        out.writeLong(stand.version());
        out.writeLong(stand.call());
        out.writeUTF(stand.phase().name());
        Wire.writeRanks(out, stand.excluded());
        Wire.writeNumbers(out, stand.calls());
        Wire.writeNumbers(out, stand.quit());
    }

    private static Stand readStand(DataInputStream in) throws IOException {
        return new Stand(
                in.readLong(),
                in.readLong(),
                Stand.Phase.valueOf(in.readUTF()),
                Wire.readRanks(in),
                Wire.readNumbers(in),
                Wire.readNumbers(in));
    }
}
