package org.mscclj.cli.perf.peer;

import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.measure.LaunchMethod;

/**
 * What a peer is to time.
 *
 * @param shape the call
 * @param root of a rooted collective
 * @param method how launches are made
 * @param launches of each batch
 */
public record PeerCall(CallShape shape, int root, LaunchMethod method, int launches) {}
