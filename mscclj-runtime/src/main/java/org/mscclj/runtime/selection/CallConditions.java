package org.mscclj.runtime.selection;

import org.mscclj.language.selection.SelectionContext;

/**
 * The conditions of a call on which the choice of its algorithm depends. Equal on all ranks.
 *
 * @param registered whether both buffers are registered, at equal locations on all ranks
 * @param context the conditions for plans and programs. They add addends of averages and premultiplied sums in memory
 *     that peers can access, wherever the buffers of the call lie
 */
record CallConditions(boolean registered, SelectionContext context) {}
