/* As much of CUDA's header as nccl.h needs. */
#pragma once
typedef struct CUstream_st *cudaStream_t;
#define CUDART_VERSION 13000
