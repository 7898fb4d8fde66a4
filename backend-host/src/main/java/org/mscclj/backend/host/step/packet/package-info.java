/** Steps on packets of the LL protocol. */
package org.mscclj.backend.host.step.packet;
