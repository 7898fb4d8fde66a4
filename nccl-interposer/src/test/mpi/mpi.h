/* The part of MPI that nccl-tests call, for processes of one host. mpi.c has it, and tells how ranks are started. */
#ifndef MPI_H
#define MPI_H

#ifdef __cplusplus
extern "C" {
#endif

typedef int MPI_Datatype; /* bytes of one element; the numbers of signed integers are above these of floating point */
typedef enum { MPI_NO_OP, MPI_SUM, MPI_MIN, MPI_MAX } MPI_Op;
typedef int MPI_Comm; /* MPI_COMM_WORLD is the only one */

enum { MPI_DATATYPE_NULL = 0, MPI_BYTE = 1, MPI_DOUBLE = 8, MPI_INT = 100 + 4, MPI_LONG = 100 + 8 };
#define MPI_LONG_LONG MPI_LONG
#define MPI_INT64_T MPI_LONG
#define MPI_COMM_WORLD 0
#define MPI_IN_PLACE ((void *)-1)
#define MPI_SUCCESS 0

int MPI_Init(int *count, char ***arguments);
int MPI_Finalize(void);
int MPI_Comm_size(MPI_Comm communicator, int *size);
int MPI_Comm_rank(MPI_Comm communicator, int *rank);
int MPI_Comm_split(MPI_Comm communicator, int colour, int key, MPI_Comm *made);
int MPI_Comm_free(MPI_Comm *communicator);
int MPI_Barrier(MPI_Comm communicator);
int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm communicator);
int MPI_Allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *received, int count, MPI_Datatype type,
    MPI_Comm communicator);
int MPI_Gather(const void *sent, int sentCount, MPI_Datatype sentType, void *received, int count, MPI_Datatype type,
    int root, MPI_Comm communicator);
int MPI_Allreduce(
    const void *sent, void *received, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator);

#ifdef __cplusplus
}
#endif
#endif
