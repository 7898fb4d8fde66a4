package org.mscclj.conformance.rank.result;

import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;

/** Checks that a repeated call on equal data gives equal bits. */
final class SameBitsCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            CaseData data = new CaseData(context.test());
            long[] first = new long[Math.toIntExact(context.test().outputCount())];
            for (int launch = 0; launch < 2; launch++) {
                buffers.fill(data);
                context.run(operation);
                buffers.download();
                for (int i = 0; i < first.length; i++) {
                    long bits = buffers.outputElements().get(i);
                    if (launch == 0) {
                        first[i] = bits;
                    } else if (bits != first[i]) {
                        context.report(
                                FindingKind.UNREPEATED,
                                "element " + i + " was 0x" + Long.toHexString(first[i]) + " and then 0x"
                                        + Long.toHexString(bits));
                        return;
                    }
                }
            }
        }
    }
}
