package org.mscclj.dlpack.ffm;

import java.util.List;
import java.util.Optional;

/**
 * The content of a {@code DLTensor}.
 *
 * @param data address of the memory; 0 if there are no elements
 * @param deviceType DLPack's type of device
 * @param deviceId index of the device
 * @param typeCode DLPack's code of the element type
 * @param bits bits of an element, or of one lane of it
 * @param lanes 1, or more for elements that are vectors
 * @param shape sizes of the dimensions
 * @param strides distances in elements; empty for C order
 * @param byteOffset offset of the elements in the memory
 */
public record TensorFields(
        long data,
        int deviceType,
        int deviceId,
        int typeCode,
        int bits,
        int lanes,
        List<Long> shape,
        Optional<List<Long>> strides,
        long byteOffset) {}
