/* Sums of contributions that each rank multiplies by its factor first. */
#include "interposer.h"

#include <string.h>

API(result, ncclRedOpCreatePreMulSum, (int *op, const void *factor, int type, int residence, communicator *comm)) {
    result refusal = enter(comm, "ncclRedOpCreatePreMulSum");
    if (refusal != SUCCESS) {
        return refusal;
    }
    result outcome = SUCCESS;
    if (op == NULL || factor == NULL || type < 0 || type >= TYPES || (residence != ON_DEVICE && residence != ON_HOST)) {
        outcome = failed(INVALID_ARGUMENT,
            "ncclRedOpCreatePreMulSum: a factor at %p of type %d with residence %d; allowed: an address, a type from 0 "
            "to %d,"
            " and 0 (device) or 1 (host)",
            factor, type, residence, TYPES - 1);
    }
    int place = 0;
    while (place < REDUCTIONS && comm->reductions[place].live) {
        place++;
    }
    if (outcome == SUCCESS && place == REDUCTIONS) {
        outcome = failed(INVALID_USAGE,
            "ncclRedOpCreatePreMulSum: the communicator has %d reductions already; destroy some", REDUCTIONS);
    }
    if (outcome == SUCCESS) {
        reduction *made = &comm->reductions[place];
        *made = (reduction){.live = true, .type = type, .residence = residence};
        if (residence == ON_HOST) {
            memcpy(&made->factor, factor, (size_t)TYPE_WIDTHS[type]); /* the machine is little-endian */
        } else {
            made->factor = (int64_t)(intptr_t)factor;
        }
        *op = OWN_REDUCTION + place;
    }
    leave(comm);
    return outcome;
}

API(result, ncclRedOpDestroy, (int op, communicator *comm)) {
    result refusal = enter(comm, "ncclRedOpDestroy");
    if (refusal != SUCCESS) {
        return refusal;
    }
    int place = op - OWN_REDUCTION;
    result outcome = SUCCESS;
    if (place < 0 || place >= REDUCTIONS || !comm->reductions[place].live) {
        outcome = failed(INVALID_ARGUMENT,
            "ncclRedOpDestroy: reduction %d; allowed: one that ncclRedOpCreatePreMulSum has made for this communicator",
            op);
    } else {
        comm->reductions[place].live = false;
    }
    leave(comm);
    return outcome;
}
