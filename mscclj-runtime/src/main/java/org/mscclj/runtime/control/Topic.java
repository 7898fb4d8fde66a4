package org.mscclj.runtime.control;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The topic of a control message or a collective call of the control plane. Ranks compare the kind and the subject;
 * each rank renders the text for messages alone.
 *
 * @param kind the purpose
 * @param subject distinguishes the topics of one kind, for example the label of a plan; empty if the kind has one
 *     topic. A subject that is too long is cut, on all ranks alike
 */
public record Topic(TopicKind kind, String subject) {
    /** Cuts the subject. */
    public Topic {
        subject = Wire.shortened(subject);
    }

    /** Returns the topic of a kind that has only one. */
    public static Topic of(TopicKind kind) {
        return new Topic(kind, "");
    }

    /** Returns a topic of a kind that has several. */
    public static Topic of(TopicKind kind, Object subject) {
        return new Topic(kind, subject.toString());
    }

    /** Returns a topic that the caller of the library names. */
    public static Topic named(String name) {
        return new Topic(TopicKind.NAMED_BY_CALLER, name);
    }

    /** Writes the values that ranks compare. */
    public void write(DataOutputStream out) throws IOException {
        out.writeShort(kind.code());
        out.writeUTF(subject);
    }

    /** Reads a topic that {@link #write} wrote. */
    public static Topic read(DataInputStream in) throws IOException {
        return new Topic(TopicKind.ofCode(in.readUnsignedShort()), in.readUTF());
    }

    /**
     * Written out, because n ranks of a process compare n² topics for each call before the VM has compiled anything.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof Topic topic && kind == topic.kind && subject.equals(topic.subject));
    }

    @Override
    public int hashCode() {
        return 31 * kind.code() + subject.hashCode();
    }

    /** Returns a description, for example "verify plan ring". */
    @Override
    public String toString() {
        return kind.words(subject);
    }
}
