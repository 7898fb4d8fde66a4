package org.mscclj.runtime.execution.context;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;

/**
 * What the ranks have reported of what they can do together, equal on all of them.
 *
 * @param unmapped the ranks that could not map the memory of all others on their node
 * @param multicast whether all of them can use hardware multicast together
 */
public record PeerReports(List<Integer> unmapped, boolean multicast) {
    private record Report(boolean failed, Optional<String> member) {
        static Report decode(byte[] report) {
            return Wire.decode(report, in -> {
                boolean failed = in.readBoolean();
                return new Report(failed, in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty());
            });
        }
    }

    /**
     * Returns the report of a rank.
     *
     * @param failed whether it could not map the memory of all others on its node
     * @param member what identifies its device among those of its host, if it can use hardware multicast: a device is a
     *     member of a group once; empty text if ranks may share it
     */
    public static byte[] encode(boolean failed, Optional<String> member) {
        return Wire.encode(out -> {
            out.writeBoolean(failed);
            out.writeBoolean(member.isPresent());
            if (member.isPresent()) {
                Wire.writeText(out, member.get());
            }
        });
    }

    /** Returns what all ranks have reported. */
    public static PeerReports of(List<Message> messages) {
        List<Report> reports = Wire.decodeAll(messages, Report.class, Report::decode);
        List<String> members =
                reports.stream().flatMap(report -> report.member().stream()).toList();
        List<String> known =
                members.stream().filter(member -> !member.isEmpty()).toList();
        return new PeerReports(
                IntStream.range(0, reports.size())
                        .filter(rank -> reports.get(rank).failed())
                        .boxed()
                        .toList(),
                members.size() == reports.size() && known.stream().distinct().count() == known.size());
    }
}
