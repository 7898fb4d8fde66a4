/** NCCL's functions: the only package of this module that may call restricted methods. */
package org.mscclj.backend.nccl.ffm;
