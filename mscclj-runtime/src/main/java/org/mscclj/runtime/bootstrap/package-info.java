/** How ranks in separate processes find each other at rank 0's address, and connect every rank to every other. */
package org.mscclj.runtime.bootstrap;
