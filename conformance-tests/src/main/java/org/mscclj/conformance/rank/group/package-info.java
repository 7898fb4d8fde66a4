/** Checks of communicators made from communicators: splits, meshes, shrinks and reconfigurations. */
package org.mscclj.conformance.rank.group;
