package org.mscclj.plan.simulate;

/**
 * How long a message takes.
 *
 * @param nanos all rounds, one after the other
 * @param rounds rounds that the message takes, since chunks must fit the slots of scratch; 0 if nothing is to be done
 * @param round what happens in the first round; without spans if they were not asked for
 */
public record Prediction(double nanos, long rounds, Timeline round) {}
