package org.mscclj.conformance.rank;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.Expectation;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.waiting.Backoff;

/**
 * Compares the result of one launch with the definition of the collective, and reports the kind of each difference,
 * which determines the broken rule. The check compares large outputs in blocks: the first and the last block, and
 * others that differ by rank.
 */
public final class ResultCheck {
    private static final int BLOCK = 1 << 12;
    private static final int BLOCKS_OF_EVERY_RANK = 16;
    private static final int MAX_EXAMINED = 64;
    /** This many adjacent elements do not agree by chance. */
    private static final int CONVINCING = 16;

    private static final long LATE_NANOS = 300_000_000;
    private static final long POLL_NANOS = 5_000_000;

    private final RankContext context;
    private final TestCase test;
    private final CaseData data;
    private final CaseBuffers buffers;

    private record Wrong(long index, long bits) {}

    public ResultCheck(RankContext context, TestCase test, CaseData data, CaseBuffers buffers) {
        this.context = context;
        this.test = test;
        this.data = data;
        this.buffers = buffers;
    }

    /** Reads the buffers back and reports what is wrong. */
    public void check() {
        buffers.download();
        if (new Expectation(test, data).defines(context.rank())) {
            List<Wrong> wrong = wrong();
            if (!wrong.isEmpty()) {
                reportWrong(wrong);
            }
        } else {
            checkUntouched();
        }
        context.digest(digest());
        checkInput();
        for (Region region : buffers.regions()) {
            long stray = region.strayByte();
            if (stray != Long.MIN_VALUE) {
                context.report(
                        FindingKind.OUTSIDE, "byte " + stray + " of a buffer was written, which is outside of it");
            }
        }
    }

    /** Checks the output of a rank for which the collective has no result. */
    private void checkUntouched() {
        Elements output = buffers.outputElements();
        for (long i = 0; i < output.count(); i++) {
            if (output.get(i) != buffers.before(data, i)) {
                context.report(
                        FindingKind.OUTSIDE,
                        "element " + i + " of the output was written, where only the root, rank " + test.root()
                                + ", has a result");
                return;
            }
        }
    }

    private List<Wrong> wrong() {
        List<Wrong> wrong = new ArrayList<>();
        Expectation expectation = new Expectation(test, data);
        Elements output = buffers.outputElements();
        long blocks = (output.count() + BLOCK - 1) / BLOCK;
        for (long block = 0; block < blocks && wrong.size() < MAX_EXAMINED; block++) {
            if (isPolled(block, blocks)) {
                long end = Math.min(output.count(), (block + 1) * BLOCK);
                for (long i = block * BLOCK; i < end && wrong.size() < MAX_EXAMINED; i++) {
                    long bits = output.get(i);
                    if (!expectation.accepts(context.rank(), i, bits)) {
                        wrong.add(new Wrong(i, bits));
                    }
                }
            }
        }
        return wrong;
    }

    private boolean isPolled(long block, long blocks) {
        return blocks <= BLOCKS_OF_EVERY_RANK
                || block == 0
                || block >= blocks - 2
                || block % test.world() == context.rank();
    }

    private void reportWrong(List<Wrong> wrong) {
        if (changesLater()) {
            context.report(
                    FindingKind.LATE, "the output was written after the operation had been joined: " + describe(wrong));
            return;
        }
        if (isOtherOperation(wrong)) {
            return;
        }
        List<Wrong> missing = wrong.stream()
                .filter(w -> w.bits() == buffers.before(data, w.index()))
                .toList();
        if (missing.size() == wrong.size() && !missing.isEmpty()) {
            context.report(FindingKind.MISSING, "not written, first " + describe(missing));
        } else if (isMoved(wrong)) {
            context.report(FindingKind.MISPLACED, "holds what belongs elsewhere, first " + describe(wrong));
        } else {
            context.report(FindingKind.WRONG, "first " + describe(wrong));
        }
    }

    private boolean changesLater() {
        long before = digest();
        Backoff backoff = Backoff.every(POLL_NANOS);
        backoff.start(LATE_NANOS);
        return backoff.awaitUninterruptibly(() -> {
            buffers.download();
            return digest() != before;
        });
    }

    private boolean isOtherOperation(List<Wrong> wrong) {
        if (!test.collective().reduces() || wrong.size() < CONVINCING) {
            return false;
        }
        for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX)) {
            Expectation other = new Expectation(test, data, op);
            if (!op.equals(test.op())
                    && wrong.stream().allMatch(w -> other.accepts(context.rank(), w.index(), w.bits()))) {
                context.report(
                        FindingKind.OTHER_OPERATION,
                        "holds the " + op + " in place of the " + test.op() + ", first " + describe(wrong));
                return true;
            }
        }
        return false;
    }

    /** Returns whether the first run of wrong elements is correct at another position of the output. */
    private boolean isMoved(List<Wrong> wrong) {
        int run = 1;
        while (run < wrong.size() && wrong.get(run).index() == wrong.getFirst().index() + run) {
            run++;
        }
        if (run < CONVINCING) {
            return false;
        }
        List<Wrong> first = wrong.subList(0, run);
        Expectation expectation = new Expectation(test, data);
        long count = buffers.outputElements().count();
        for (long to = 0; to + run <= count; to++) {
            long shift = to - first.getFirst().index();
            if (first.stream().allMatch(w -> expectation.accepts(context.rank(), w.index() + shift, w.bits()))) {
                return true;
            }
        }
        return false;
    }

    private String describe(List<Wrong> wrong) {
        Wrong first = wrong.getFirst();
        Expectation expectation = new Expectation(test, data);
        return "element " + first.index() + " is " + expectation.text(first.bits()) + ", right is "
                + expectation.expected(context.rank(), first.index()) + " (" + wrong.size()
                + (wrong.size() == MAX_EXAMINED ? " or more" : "") + " wrong)";
    }

    private long digest() {
        Elements output = buffers.outputElements();
        long digest = 1;
        for (long i = 0; i < output.count(); i++) {
            digest = digest * 0x100000001b3L + output.get(i);
        }
        return digest;
    }

    private void checkInput() {
        if (test.inPlace()) {
            return;
        }
        Elements input = buffers.inputElements();
        for (long i = 0; i < input.count(); i++) {
            if (input.get(i) != data.input(context.rank(), i)) {
                context.report(FindingKind.INPUT_CHANGED, "element " + i + " of the input was changed");
                return;
            }
        }
    }
}
