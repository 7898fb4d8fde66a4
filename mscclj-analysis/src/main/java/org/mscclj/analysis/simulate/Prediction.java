package org.mscclj.analysis.simulate;

import org.mscclj.analysis.simulate.timeline.Timeline;

/**
 * The predicted duration of a message.
 *
 * @param nanos nanoseconds of all rounds, one after the other
 * @param rounds number of rounds, which depends on the slots of scratch; 0 if there is nothing to do
 * @param round the timeline of the first round; without spans if the options exclude them
 */
public record Prediction(double nanos, long rounds, Timeline round) {}
