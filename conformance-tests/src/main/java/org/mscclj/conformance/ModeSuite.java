package org.mscclj.conformance;

import java.util.List;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.conformance.suite.Unexplained;
import org.mscclj.spi.Capabilities;

/**
 * The suite of one mode. If it is started, a thread of its own checks the rules in their order, while tests report the
 * results of this or another mode. Safe for use by several threads.
 */
final class ModeSuite implements AutoCloseable {
    private final Mode mode;
    private final Suite suite;
    private final Thread thread;
    private volatile boolean stopped;

    ModeSuite(Mode mode, SuiteOptions options, RankGroups groups, Capabilities capabilities) {
        this.mode = mode;
        this.suite = new Suite(mode, options, groups, capabilities);
        this.thread =
                Thread.ofPlatform().daemon().name("conformance-" + mode.label()).unstarted(this::checkAll);
    }

    Mode mode() {
        return mode;
    }

    /** Begins to check all rules. */
    void start() {
        thread.start();
    }

    private void checkAll() {
        for (Rule rule : Rules.all()) {
            if (stopped) {
                return;
            }
            check(rule); // what it throws ends this thread, and is thrown again by the test of the rule
        }
    }

    /** Checks a rule, unless that was done; see {@link Suite#check}. */
    synchronized RuleResult check(Rule rule) {
        return suite.check(rule);
    }

    /** See {@link Suite#unexplained}. */
    synchronized List<Unexplained> unexplained() {
        return suite.unexplained();
    }

    /** Ends after the rule that is checked at this time. */
    @Override
    public void close() {
        stopped = true;
        synchronized (this) {
            suite.close();
        }
    }
}
