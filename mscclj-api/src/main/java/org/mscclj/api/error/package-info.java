/**
 * The sealed family of exceptions. All are unchecked. {@link org.mscclj.api.error.InvalidArgumentException} means that
 * nothing happened; every other one says what became of the operation and of the communicator.
 */
package org.mscclj.api.error;
