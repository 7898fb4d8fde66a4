/** How what ranks tell each other is kept from being changed or read on its way. */
package org.mscclj.spi.protection;
