package org.mscclj.cli.perf.peer;

import org.mscclj.cli.check.CallShape;

/**
 * What a peer is to time.
 *
 * @param shape the call
 * @param root of a rooted collective
 * @param batches timed batches
 * @param launches of each batch
 */
public record PeerCall(CallShape shape, int root, int batches, int launches) {}
