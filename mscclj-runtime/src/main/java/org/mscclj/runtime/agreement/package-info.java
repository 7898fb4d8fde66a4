/** Agreement of the ranks of a communicator, which may have ended, on the ranks that a shrink keeps. */
package org.mscclj.runtime.agreement;
