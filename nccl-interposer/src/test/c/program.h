/* A program that calls NCCL, as programs do. */
#ifndef MSCCLJ_TEST_PROGRAM_H
#define MSCCLJ_TEST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WITH_NCCL_H
#include <nccl.h>
#else
#include "declarations.h"
#endif

enum { TYPES = 12 };

/* ---- The GPUs of this process ---- */

/* Makes a GPU current for this thread, as cudaSetDevice does. */
void use_device(int device);
void *device_memory(size_t bytes);
void *new_stream(void);
void destroy_stream(void *stream);
void upload(void *to, const void *from, size_t bytes, void *stream);
void download(void *to, const void *from, size_t bytes, void *stream);
void copy(void *to, const void *from, size_t bytes, void *stream);
void synchronize(void *stream);
void begin_capture(void *stream, int mode);
void *end_capture(void *stream); /* the executable graph */
void launch(void *graph, void *stream);

/* ---- Checks ---- */

/* Ends the program with a line unless a call of NCCL succeeds. */
#define OK(call) expect_result(call, ncclSuccess, #call, __FILE__, __LINE__)
/* Ends the program unless a call gives a code, and the text of the last failure has a part. */
#define REFUSED(call, code, part) expect_refusal(call, code, part, #call, __FILE__, __LINE__)
/* Ends the program unless a condition holds. */
#define HOLDS(condition) expect_true(condition, #condition, __FILE__, __LINE__)

void expect_result(int result, int expected, const char *call, const char *file, int line);
void expect_refusal(int result, int expected, const char *part, const char *call, const char *file, int line);
void expect_true(bool condition, const char *text, const char *file, int line);

/* ---- Elements ---- */

/* Bytes of an element. */
int width(int type);
/* Writes a small whole number as an element, which every type has exactly. */
void put(void *array, long index, int type, int number);
/* Whether an element is a small whole number. */
bool is(const void *array, long index, int type, int number);

/* The unique id in a file, which rank 0 makes. */
ncclUniqueId shared_id(const char *file, int rank);

#endif
