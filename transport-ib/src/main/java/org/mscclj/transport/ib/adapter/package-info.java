/** The opened adapters of this process, which its ranks share, and the thread that waits for their events. */
package org.mscclj.transport.ib.adapter;
