# The two commands that most people need: `make run` and `make test`.

export SWIFT_BACKTRACE := enable=no

PROGRAM := .build/release/pushsim
# One set of options for all release builds: others would compile everything anew. The Swift runtime becomes part of the
# program, so that it runs on a machine without Swift.
RELEASE := --configuration release --static-swift-stdlib --explicit-target-dependency-import-check error
PREFIX ?= /usr/local

.PHONY: help setup build run reports test lint bench instructions coverage install uninstall deb image test-install clean
.DEFAULT_GOAL := help

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 14

setup: ## install the Debian packages that are missing
	@Scripts/setup.sh

build: setup ## build the program in release mode, as .build/release/pushsim
	swift build $(RELEASE) --product pushsim

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
	swift build $(RELEASE) --product pushsim-bench
	@Benchmarks/instructions.py

coverage: setup ## count how often intervals hold the known answer; writes the table of Documentation/Coverage.md
	swift build $(RELEASE) --product pushsim-coverage
	@.build/release/pushsim-coverage > .build/coverage.md; status=$$?; cat .build/coverage.md; \
	sed -i -e '/^| what |/,$$d' Documentation/Coverage.md && cat .build/coverage.md >> Documentation/Coverage.md; \
	exit $$status

install: build ## install program, manual, completions and data under PREFIX (/usr/local), below DESTDIR if given
	@Scripts/install.sh install "$(PREFIX)" "$(DESTDIR)"

uninstall: ## remove what `make install` put there
	@Scripts/install.sh uninstall "$(PREFIX)" "$(DESTDIR)"

deb: build ## make a Debian package, .build/packages/pushsim_VERSION_ARCHITECTURE.deb
	@Scripts/deb.sh

image: build ## make a container image of the program alone, .build/packages/pushsim-image.tar
	@Scripts/image.sh

test-install: deb image ## install, run and remove each of them in a clean root; takes minutes, needs root
	@Scripts/test-install.sh

clean: ## remove what was built
	rm -rf .build
