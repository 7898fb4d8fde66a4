/* NCCL before 2.24 has ncclBfloat16 where this is defined. */
#define __CUDA_BF16_TYPES_EXIST__
