/**
 * The ring of triggers through which devices request data movement from a host-side proxy. Plan engines, which push,
 * and the runtime's proxy, which drains, share format and ring.
 */
package org.mscclj.spi.proxy;
