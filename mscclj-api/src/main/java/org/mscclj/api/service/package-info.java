/** Finds the services that other artifacts provide. Not exported. */
@NullMarked
package org.mscclj.api.service;

import org.jspecify.annotations.NullMarked;
