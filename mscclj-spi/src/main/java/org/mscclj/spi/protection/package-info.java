/** Protection of data between ranks from changes and reading on the network. */
package org.mscclj.spi.protection;
