#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

// A global of C is a mutable one to Swift, though nobody changes it.
static inline const gsl_qrng_type *cgsl_qrng_sobol(void) { return gsl_qrng_sobol; }
