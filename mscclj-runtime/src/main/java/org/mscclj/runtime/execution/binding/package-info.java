/**
 * Binding of a plan to the buffers of a call: the buffers or addends on which it works, buffers that ranks have shared,
 * and the agreement of the ranks on the call.
 */
package org.mscclj.runtime.execution.binding;
