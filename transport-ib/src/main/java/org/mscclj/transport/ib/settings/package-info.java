/** The environment variables of the transport. */
package org.mscclj.transport.ib.settings;
