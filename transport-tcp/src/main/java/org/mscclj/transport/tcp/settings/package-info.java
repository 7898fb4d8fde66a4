/** The settings of the transport, read from environment variables. */
package org.mscclj.transport.tcp.settings;
