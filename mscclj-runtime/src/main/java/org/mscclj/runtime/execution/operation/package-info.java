/**
 * Prepared operations and the work of their launches: launch, capture, recording, checks before a launch, and closing.
 */
package org.mscclj.runtime.execution.operation;
