// Written by Scripts/chart-library.sh.
#define CHART_LIBRARY_SHA256 "TH+ZbajZsmxb7ofKaSgzpApT4Kh2xCLsaz3emqBCnik="
#define CHART_LIBRARY_NAME "Vega 6.2.0, Vega-Lite 6.4, Vega-Embed 7.0.2"
