/**
 * The ring of triggers through which devices ask a host-side proxy to move data: format and ring are shared by plan
 * engines, which push, and the runtime's proxy, which drains.
 */
package org.mscclj.spi.proxy;
