/**
 * The form in which GPUs execute the blocks of a plan: the moves of data operations, which blocks are fused, and which
 * packets are lines of 128 bytes. Engines and the simulator ask here.
 */
package org.mscclj.plan.fusion;
