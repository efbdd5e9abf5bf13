// libpq, and what its header says with macros that Swift does not import.
#pragma once
#include <libpq-fe.h>

static const int shim_diag_sqlstate = PG_DIAG_SQLSTATE;
static const int shim_diag_message = PG_DIAG_MESSAGE_PRIMARY;

// Ends a transaction of the pipeline. libpq 17 can leave the sending to the next flush, older ones send at once.
static inline int shim_pipeline_sync(PGconn *connection) {
#ifdef LIBPQ_HAS_SEND_PIPELINE_SYNC
    return PQsendPipelineSync(connection);
#else
    return PQpipelineSync(connection);
#endif
}
