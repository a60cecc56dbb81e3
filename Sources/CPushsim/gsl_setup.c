#include "CPushsim.h"

#include <gsl/gsl_errno.h>

void ps_set_error_handler_off(void) { gsl_set_error_handler_off(); }

// Before main and before any thread: a simulator must never be aborted by a special function's domain error.
__attribute__((constructor)) static void switch_off_gsl_error_handler(void) { ps_set_error_handler_off(); }
