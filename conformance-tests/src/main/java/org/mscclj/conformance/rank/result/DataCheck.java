package org.mscclj.conformance.rank.result;

import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Launching;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/** Prepares the call, launches it several times on new data, and compares each result with the definition. */
final class DataCheck implements RankCheck {
    private final int launches;

    DataCheck(int launches) {
        this.launches = launches;
    }

    @Override
    public boolean canReplay() {
        return true;
    }

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), test);
                PreparedOperation operation =
                        context.communicator().prepare(RankContext.call(test, buffers.input(), buffers.output()));
                Launching launching = Launching.of(context, operation)) {
            test.program()
                    .filter(name -> !name.equals(operation.algorithm()))
                    .ifPresent(name -> context.report(
                            FindingKind.BEHAVIOUR,
                            "the call names the algorithm " + name + ", and " + operation.algorithm() + " serves it"));
            for (int i = 0; i < launches; i++) { // all launches: another rank may have no findings, and wait
                TestCase launch = test.seed(test.seed() + i);
                CaseData data = new CaseData(launch);
                buffers.fill(data);
                launching.run();
                if (!context.hasFindings()) {
                    new ResultCheck(context, launch, data, buffers).check();
                }
            }
        }
    }
}
