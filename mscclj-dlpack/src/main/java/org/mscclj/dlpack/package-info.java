/**
 * Hands device memory to other software in the same process as tensors, and takes theirs, by the structures of <a
 * href="https://dmlc.github.io/dlpack/latest/">DLPack</a> 1.x and of the versions before:
 * {@link org.mscclj.dlpack.TensorExport} and {@link org.mscclj.dlpack.TensorImport}. No data is copied, and nothing is
 * ordered: who hands a tensor over has waited for the work that writes it, or tells the other side which stream to wait
 * for.
 */
package org.mscclj.dlpack;
