/**
 * Algorithms beyond plans: code that computes a collective natively. An {@link
 * org.mscclj.api.algorithm.AlgorithmCollection} holds what a communicator can choose from.
 */
package org.mscclj.api.algorithm;
