#ifndef CHART_LIBRARY_H
#define CHART_LIBRARY_H

#include <stddef.h>

/// The chart library that pages may embed, JavaScript as gzip in base64, in lines; its size is 0 where the compiler could not
/// embed it. Scripts/chart-library.sh makes it, THIRD-PARTY.md has its licences.
const unsigned char *chart_library_text(void);
extern const size_t chart_library_size;
/// The SHA-256 of the JavaScript, in base64.
extern const char *const chart_library_sha256;
/// Names and versions.
extern const char *const chart_library_name;

#endif
