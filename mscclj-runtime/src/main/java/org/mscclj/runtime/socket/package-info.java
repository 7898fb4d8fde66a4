/**
 * Connections between ranks that have proved to each other that they belong to one group, and classes that open and
 * accept such connections.
 */
package org.mscclj.runtime.socket;
