/** How the ranks of a communicator that may have ended agree on those that go on. */
package org.mscclj.runtime.agreement;
