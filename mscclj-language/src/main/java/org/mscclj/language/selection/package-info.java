/**
 * Selection of a shipped program: which program suits a call of a collective, by its size, the ranks, and the abilities
 * of their devices and connections.
 */
package org.mscclj.language.selection;
