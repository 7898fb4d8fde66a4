/** Foreign memory: the only package of this module that may call restricted methods. */
package org.mscclj.backend.host.ffm;
