/**
 * The sealed family of exceptions. All are unchecked. {@link org.mscclj.api.error.InvalidArgumentException} means that
 * the call had no effect; the message of every other exception states the result for the operation and the
 * communicator.
 */
package org.mscclj.api.error;
