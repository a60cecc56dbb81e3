# The two commands that most people need: `make run` and `make test`.

export SWIFT_BACKTRACE := enable=no

PROGRAM := .build/release/pushsim

.PHONY: help setup build run reports test lint bench instructions coverage clean
.DEFAULT_GOAL := help

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 14

setup: ## install the Debian packages that are missing
	@Scripts/setup.sh

build: setup ## build the program in release mode, as .build/release/pushsim
	swift build --configuration release --product pushsim --explicit-target-dependency-import-check error

run: build ## run the news feed scenario; its results go to Reports/news_feed
	$(PROGRAM) run Scenarios/news_feed.yaml --output Reports/news_feed

reports: build ## make the committed reports of all scenarios anew, in Reports
	@Scripts/reports.sh

test: ## set up, then run every check
	@Scripts/test.sh

lint: ## check format and source rules only
	@Scripts/lint.sh

bench: ## measure side by side with C and SimPy; writes Benchmarks/results.json
	@Scripts/setup.sh gcc python3 python3-venv
	@Benchmarks/run.py

instructions: ## count the instructions of the hot paths against the baseline
	@Scripts/setup.sh binutils python3 valgrind
	swift build --configuration release --product pushsim-bench
	@Benchmarks/instructions.py

coverage: setup ## count how often intervals hold the known answer; writes the table of Documentation/Coverage.md
	swift build --configuration release --product pushsim-coverage
	@.build/release/pushsim-coverage > .build/coverage.md; status=$$?; cat .build/coverage.md; \
	sed -i -e '/^| what |/,$$d' Documentation/Coverage.md && cat .build/coverage.md >> Documentation/Coverage.md; \
	exit $$status

clean: ## remove what was built
	rm -rf .build
