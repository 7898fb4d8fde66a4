/** How a host thread waits for a change that no thread reports to it. */
package org.mscclj.spi.waiting;
