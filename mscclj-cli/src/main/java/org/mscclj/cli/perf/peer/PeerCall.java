package org.mscclj.cli.perf.peer;

import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.SampleSize;

/**
 * A call that a peer times.
 *
 * @param shape the call
 * @param root the root of a rooted collective
 * @param method the way in which launches are made
 * @param launches the number of launches in a batch
 * @param size the number of runs of the batch in a sample
 */
public record PeerCall(CheckedCall shape, int root, LaunchMethod method, int launches, SampleSize size) {}
