/** The binding of NCCL's functions. Only this package of the module may call restricted methods. */
package org.mscclj.backend.nccl.ffm;
