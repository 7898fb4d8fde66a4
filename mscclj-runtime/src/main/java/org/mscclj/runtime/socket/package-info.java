/**
 * Connections between ranks that have proved to each other that they belong together, and how such are made and
 * accepted.
 */
package org.mscclj.runtime.socket;
