# Two commands matter: `make run` and `make test`.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.PHONY: run test test-api property coverage sanitize mutants bench streams lint install clean chaos chaos-apns

# Recorded streams of real deliveries for tests and benchmarks; they live outside the repository.
export DOORSTEP_DATA ?= $(abspath ../shared/data)
CONFIGURATION ?= release
# Swift's libraries go into the binary: it runs where no Swift is installed, and calls into them are cheaper.
SWIFT_BUILD = swift build -c $(CONFIGURATION) --static-swift-stdlib

## Builds Doorstep and starts it with its own PostgreSQL and simulated APNs (ARGUMENTS='--port 0 --demo' passes flags).
run: install
	@start=$$SECONDS; $(SWIFT_BUILD) --product doorstep >&2 && \
	    DOORSTEP_PACKAGES=installed DOORSTEP_BUILD_SECONDS=$$((SECONDS - start)) \
	    exec "$$($(SWIFT_BUILD) --show-bin-path)/doorstep" up $(ARGUMENTS)

## Every test; none talks to another machine, but tools they use are installed when they are missing.
test:
	@.ci/test $(ARGUMENTS)

## 100,000 random histories of the core, optimized, with its other properties.
property:
	@.ci/core .build/property && cd .build/property && DOORSTEP_HISTORIES=$${DOORSTEP_HISTORIES:-100000} \
	    swift test -c release --disable-xctest --filter 'Properties/'

## The running service held against openapi.yaml, as every role, with good and bad requests (ARGUMENTS=--short).
test-api:
	@$(SWIFT_BUILD) --product doorstep >&2 && .ci/test-api "$$($(SWIFT_BUILD) --show-bin-path)/doorstep" $(ARGUMENTS)

## Which lines of the core its own tests run (ARGUMENTS=--lines for those they do not).
coverage:
	@.ci/coverage $(ARGUMENTS)

## HTTP/2 and the APNs client under the thread and address sanitizers (ARGUMENTS=thread for one of them).
sanitize:
	@.ci/sanitize $(ARGUMENTS)

## Breaks every rule of the core once: a test that names it must fail (ARGUMENTS='--list', or part of a name).
mutants:
	@.ci/mutants $(ARGUMENTS)

## Doorstep beside what it is built on: `make bench > docs/benchmarks.md` (ARGUMENTS='--short latency' for a part).
bench:
	@$(SWIFT_BUILD) --product doorstep >&2 && $(SWIFT_BUILD) --product doorstep-bench >&2 && \
	    $(SWIFT_BUILD) --product doorstep-fold-bench >&2 && \
	    bin=$$($(SWIFT_BUILD) --show-bin-path) && \
	    Benchmarks/run.py "$$bin/doorstep" "$$bin/doorstep-bench" "$$bin/doorstep-fold-bench" $(ARGUMENTS)

## Whole recorded streams, in order, shuffled and doubled, and as fast as they go (ARGUMENTS='sendy' for one of them).
streams:
	@$(SWIFT_BUILD) --product doorstep >&2 && Benchmarks/streams.py "$$($(SWIFT_BUILD) --show-bin-path)/doorstep" $(ARGUMENTS)

## The service killed at every point and at random, on a long stream each; the database away for ten minutes; then 200,000 pushes to an APNs full of faults.
chaos:
	@DOORSTEP_KILL_ORDERS=2000 DOORSTEP_OUTAGE_SECONDS=600 .ci/test --filter 'EndToEnd/(KillPointTests|OutageTests)'
	@$(MAKE) --no-print-directory chaos-apns ARGUMENTS='--pushes 200000 $(ARGUMENTS)'

## 20,000 pushes to an APNs full of faults, and what the phones show in the end (ARGUMENTS='--preset field').
chaos-apns:
	@$(SWIFT_BUILD) --product doorstep >&2 && Benchmarks/chaos.py "$$($(SWIFT_BUILD) --show-bin-path)/doorstep" $(ARGUMENTS)

## Formatting, size and word rules; changes nothing.
lint:
	@.ci/lint

## System packages, only those that are missing.
install:
	@deploy/install-packages.sh

## Everything built and the local demo's data.
clean:
	@rm -rf .build .doorstep
