package org.mscclj.runtime.control;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What a control message or a collective call of the control plane is about. Ranks compare the kind and the subject;
 * each renders words by itself, for messages.
 *
 * @param kind what it is for
 * @param subject what distinguishes topics of one kind, for example the label of a plan; empty if nothing does. A
 *     subject that is too long is cut, on all ranks alike
 */
public record Topic(TopicKind kind, String subject) {
    /** Cuts the subject. */
    public Topic {
        subject = Wire.shortened(subject);
    }

    /** A topic of a kind that has one topic alone. */
    public static Topic of(TopicKind kind) {
        return new Topic(kind, "");
    }

    /** A topic of a kind that has several. */
    public static Topic of(TopicKind kind, Object subject) {
        return new Topic(kind, subject.toString());
    }

    /** A topic that the caller of the library names. */
    public static Topic named(String name) {
        return new Topic(TopicKind.NAMED_BY_CALLER, name);
    }

    /** Writes what ranks compare. */
    public void write(DataOutputStream out) throws IOException {
        out.writeShort(kind.code());
        out.writeUTF(subject);
    }

    /** Reads what {@link #write} wrote. */
    public static Topic read(DataInputStream in) throws IOException {
        return new Topic(TopicKind.ofCode(in.readUnsignedShort()), in.readUTF());
    }

    /** The words, for example "verify plan ring". */
    @Override
    public String toString() {
        return kind.words(subject);
    }
}
