package org.mscclj.cli.measure;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.mscclj.cli.check.RankFindings;

/** Encodes the findings of a rank for the other ranks. */
final class FindingsMessage {
    private FindingsMessage() {}

    static byte[] encode(RankFindings findings) {
        byte[] text = findings.firstWrong().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(6 * Long.BYTES + text.length)
                .putLong(findings.rank())
                .putLong(findings.checkedElements())
                .putLong(findings.wrong())
                .putLong(findings.digest())
                .putLong(findings.changedInputs())
                .putLong(findings.strayBytes())
                .put(text)
                .array();
    }

    static RankFindings decode(byte[] message) {
        ByteBuffer from = ByteBuffer.wrap(message);
        int rank = (int) from.getLong();
        long checkedElements = from.getLong();
        long wrong = from.getLong();
        long digest = from.getLong();
        long changedInputs = from.getLong();
        long strayBytes = from.getLong();
        String firstWrong = StandardCharsets.UTF_8.decode(from).toString();
        return new RankFindings(rank, checkedElements, wrong, firstWrong, digest, changedInputs, strayBytes);
    }
}
