# berth: build, test and install. `make help` lists the targets.

BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
# The public header says which version this is.
VERSION := $(shell sed -n 's/^\#define BERTH_VERSION_[MP][A-Z]* *//p' include/berth.h | paste -s -d . -)

# The commit, of a clone that is of no release's: `berth --version` names it, no file does.
COMMIT  := $(shell [ -e .git ] && ! git describe --tags --exact-match >/dev/null 2>&1 && git rev-parse --short=8 HEAD 2>/dev/null)

CFLAGS   ?= -O2 -g
WARNINGS := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 -Wundef $(WERROR)
DEFINES  := -D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=120 -DBERTH_VERSION='"$(VERSION)"'
INCLUDES := -Iinclude -Isrc -Ikernels
# For the shared library, whose only symbols are those that berth.h exports.
SHARED   := -fPIC -fvisibility=hidden
# While the major version is 0, a minor one may break what was linked against another.
SONAME   := libberth.so.$(basename $(VERSION))
COMPILE   = $(CC) $(WARNINGS) $(DEFINES) $(INCLUDES) $(SHARED) $(CFLAGS) $(SANITIZE) -MMD -MP
LIBS     := -lOpenCL -lz -lm -lpthread -ldl

# Folders, from the lowest up: tools/check_layers.sh keeps the order.
LAYERS      := base chem score format prep pose device engine dock surface options run screen protein check eval report api
sources_of   = $(foreach layer,$(1),$(wildcard src/$(layer)/*.c src/$(layer)/*/*.c))
LIB_SOURCES := $(call sources_of,$(LAYERS))
CLI_SOURCES := $(wildcard src/cli/*.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/embedded.o
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
KERNELS     := $(wildcard kernels/*.h kernels/*.cl)
FORCEFIELD  := data/forcefields/by-atom-2017.bhff
TUNING      := data/tuning/devices.tsv
FRAGMENTS   := data/fragments/common.store.z
SCORING     := $(wildcard data/scoring/*.score data/ranking/*.rank)
# Modules of the RDKit worker, those that others import first.
WORKER      := $(patsubst %,tools/rdkit/%.py,start frames outcome valence pka_rules charges nearby protonate cages groups stereo reading vectors kekule ring_hydrogens bonds sybyl rings angles patterns adducts build cutting fragments normalise standing strain facts validity depict symmetry network missing specimens campaign properties diverse worker)
# The program that measures and fits rankings, in the same order.
EVAL        := $(patsubst %,tools/eval/%.py,text sampling enrichment ligands plot screen page logistic fitted fit analysis)
IMPORT      := tools/model/import.py
TEXTS       := $(wildcard data/page/* data/report/* data/manual/* data/store/* data/covalent/*)
TESTS       := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c tests/kernel/test_*.c) tests/kernel/check_kernels.c)
FUZZERS     := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

# Manual pages and completions.
PAGES       := $(BUILD)/man/berth.1 $(patsubst %,$(BUILD)/completion/berth.%,bash zsh fish)

# Instruments for who works on the kernels (bench/instruments): the floor, and the pair loop in plain C.
INSTRUMENTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/pair_loop.c %/main.c,$(wildcard bench/instruments/*.c)))
BASELINE    := $(BUILD)/berth-baseline

.PHONY: all bench demo test test-all check clang-warnings sanitize tsan fuzz run-fuzz install clean setup setup-slurm setup-compare help tests \
        wheel wheel-portable deb dist
.SECONDARY:

all: $(BUILD)/berth $(BUILD)/libberth.so $(PAGES)

help:
	@echo 'make            build/berth, build/libberth.a, build/libberth.so'
	@echo 'make demo       redock amprenavir into HIV-1 protease, prepare a library of drugs'
	@echo 'make test       the tests (installs what they need)'
	@echo 'make test-all   and those that take longer (tests/slices.sh); BERTH_TEST_SLICE=NAME make test runs a slice'
	@echo 'make check      format, layers, cycles, warnings of clang, cppcheck, shellcheck'
	@echo 'make sanitize   the tests with address and undefined-behaviour sanitizers, and which lines they run'
	@echo 'make tsan       data races, of the stream and of what berth.h promises about threads, by ThreadSanitizer'
	@echo 'make fuzz       fuzz the readers, FUZZ_SECONDS=60 each'
	@echo 'make bench      build/berth-bench: the energy kernel against the floor of the hardware, and a plain C loop (gcc)'
	@echo 'make install    to PREFIX=/usr/local'
	@echo 'make deb        build/berth_VERSION_ARCH.deb, a Debian package'
	@echo 'make dist       build/berth-VERSION.tar.gz, the sources; the same bytes for the same commit'
	@echo 'make wheel      build/wheel/berth-*.whl, the Python module (docs/python.md), by PYTHON=/usr/bin/python3'
	@echo 'make setup      installs what all of these need and this machine lacks'
	@echo 'make setup-slurm    installs Slurm, which the test of tools/slurm is skipped without'
	@echo 'make setup-compare  installs what other tests are skipped without: Chromium, PyMOL, zsh, PoseBusters ...'

# Each whole before it has its name, and under a name of its process's until then: another make, of pip's,
# may be at work in the same folder.
$(BUILD)/berth: $(CLI_OBJECTS) $(BUILD)/libberth.a
	@echo '  LINK $@'
	@$(CC) $(CFLAGS) $(SANITIZE) -o $@.$$$$ $^ $(LIBS) && mv $@.$$$$ $@

$(BUILD)/libberth.a: $(LIB_OBJECTS)
	@ar rcs $@.$$$$ $^ && mv $@.$$$$ $@

$(BUILD)/libberth.so: $(LIB_OBJECTS)
	@echo '  LINK $@'
	@$(CC) -shared -Wl,-soname,$(SONAME) $(CFLAGS) $(SANITIZE) -o $@.$$$$ $^ $(LIBS) && mv $@.$$$$ $@

# Flags are here: what changes them builds anew.
$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo '  CC   $<'
	@$(COMPILE) -c -o $@ $<

# Kernels, tuned variants, scoring functions, the default forcefield, common fragments, the RDKit worker,
# what evaluates screens and the report's page travel inside the binary.
EMBEDDED    := $(FORCEFIELD) $(TUNING) $(FRAGMENTS) $(SCORING) $(KERNELS) $(WORKER) $(EVAL) $(IMPORT) $(TEXTS)
$(BUILD)/embedded.c: tools/embed.sh $(EMBEDDED) Makefile
	@mkdir -p $(@D)
	sh tools/embed.sh $(EMBEDDED) > $@.$$$$ && mv $@.$$$$ $@

$(BUILD)/embedded.o: $(BUILD)/embedded.c Makefile
	@echo '  CC   $<'
	@$(COMPILE) -c -o $@ $<

# The published pair loop for the machine that builds it: see bench/instruments/pair_loop.c.
BASELINE_CC ?= gcc
bench: $(BUILD)/berth-bench $(BASELINE)
$(BASELINE): bench/instruments/pair_loop.c
	@mkdir -p $(@D)
	@echo '  CC   $<'
	@$(BASELINE_CC) -std=gnu11 -Wall -Wextra -Werror -O3 -march=native -mprefer-vector-width=512 \
	    -ffast-math -fopenmp -o $@ $< -lm

$(BUILD)/bench/instruments/%.o: DEFINES += -DBERTH_INSTRUMENTS='"$(CURDIR)/bench/instruments"'
$(BUILD)/berth-bench: $(BUILD)/bench/instruments/main.o $(INSTRUMENTS) $(BUILD)/libberth.a
	@echo '  LINK $@'
	@$(CC) $(CFLAGS) $(SANITIZE) -o $@ $^ $(LIBS)

setup:
	sh tools/setup.sh

setup-slurm:
	sh tools/setup.sh slurm

setup-compare:
	sh tools/setup.sh compare

clean:
	rm -rf $(BUILD) build-*

$(BUILD)/tests/%: tests/%.c $(BUILD)/libberth.a
	@mkdir -p $(@D)
	@echo '  CC   $<'
	@$(COMPILE) -Itests -Ibench $(TEST_LINK) -o $@ $< $(filter %.o,$^) $(BUILD)/libberth.a -lcmocka $(LIBS)

INSTRUMENT_TESTS := $(addprefix $(BUILD)/tests/,unit/test_floor unit/test_bars unit/test_cuda kernel/test_ceiling)
$(INSTRUMENT_TESTS): $(INSTRUMENTS)

# Tests that plant faults in the kernels (tests/faults).
FAULT_TESTS := $(addprefix $(BUILD)/tests/kernel/,test_ceiling test_kernels check_kernels)
$(FAULT_TESTS): TEST_LINK = -Wl,--wrap=berth_program_create
$(FAULT_TESTS): $(BUILD)/tests/support/faults.o
CHECKS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/kernel/checks/*.c))
$(addprefix $(BUILD)/tests/kernel/,test_kernels check_kernels): $(CHECKS)

# The clock, which this test has jump.
$(BUILD)/tests/unit/test_parallel: TEST_LINK = -Wl,--wrap=clock_gettime

# Allocations of the library that this test lets fail.
$(BUILD)/tests/unit/test_out_of_memory: TEST_LINK = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

tests: all $(BUILD)/berth-bench $(TESTS)

# On all cores, unless make was told how many.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

test test-all:
	sh tools/setup.sh build test
	$(MAKE) $(PARALLEL) tests
	BUILD=$(BUILD) sh tests/run.sh

test-all: export BERTH_TEST_SLICE = all

# One build for sanitizers and coverage, so that the tests run once for both; by gcc, which has both.
sanitize:
	sh tools/setup.sh build test
	$(MAKE) $(PARALLEL) tests BUILD=build-sanitize CC=gcc CFLAGS='-O1 -g -fno-omit-frame-pointer' \
	    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all --coverage'
	@find build-sanitize -name '*.gcda' -delete
	BUILD=build-sanitize sh tests/run.sh
	@BUILD=build-sanitize sh tools/coverage.sh

tsan:
	sh tools/setup.sh build test
	$(MAKE) $(PARALLEL) BUILD=build-tsan CFLAGS='-O1 -g' SANITIZE=-fsanitize=thread \
	    build-tsan/berth build-tsan/tests/unit/test_window build-tsan/tests/unit/test_threads
	BUILD=build-tsan sh tests/tsan.sh

demo:
	sh tools/setup.sh build run
	$(MAKE) $(PARALLEL) all
	BUILD=$(BUILD) sh tools/demo.sh
	BUILD=$(BUILD) sh tools/demo_library.sh

check:
	sh tools/setup.sh build check
	$(MAKE) $(PARALLEL) $(BUILD)/libberth.a
	BUILD=$(BUILD) sh tools/check.sh

# Of all that `make tests` compiles; they are errors.  (gcc's are where WERROR=-Werror is given: .ci/run.)
clang-warnings:
	@printf '%s\n' $(LIB_SOURCES) $(CLI_SOURCES) $(TESTS:$(BUILD)/%=%.c) $(CHECKS:$(BUILD)/%.o=%.c) $(wildcard tests/support/*.c) | \
	    xargs -P $(shell nproc) -n 40 clang -fsyntax-only -Werror $(WARNINGS) -DBERTH_INSTRUMENTS='""' $(DEFINES) $(INCLUDES) -Itests -Ibench

# libFuzzer comes with clang.
FUZZ_SECONDS ?= 60
FUZZ_FLAGS = $(DEFINES) $(INCLUDES) -std=c11 -gline-tables-only -O1 -fno-sanitize-recover=all -MMD -MP

$(BUILD)/fuzz/object/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo '  FUZZ $@'
	@clang $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<

# A fuzzer takes from the library what its reader needs.
$(BUILD)/fuzz/libberth.a: $(LIB_SOURCES:%.c=$(BUILD)/fuzz/object/%.o) $(BUILD)/fuzz/object/$(BUILD)/embedded.o
	@rm -f $@ && ar rcs $@ $^

$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/fuzz/libberth.a
	@echo '  FUZZ $@'
	@clang $(FUZZ_FLAGS) -fsanitize=fuzzer,address,undefined -o $@ $< $(BUILD)/fuzz/libberth.a $(LIBS)

fuzz:
	sh tools/setup.sh build fuzz
	$(MAKE) $(PARALLEL) run-fuzz

run-fuzz: $(FUZZERS)
	FUZZ_SECONDS=$(FUZZ_SECONDS) BUILD=$(BUILD) sh tests/fuzz/run.sh

# By the program itself, from its tables of options.
# Compiled anew where there is another commit.
$(BUILD)/src/cli/main.o: DEFINES += $(if $(COMMIT),-DBERTH_COMMIT='" ($(COMMIT))"')
$(BUILD)/src/cli/main.o: $(if $(COMMIT),$(wildcard $(shell git rev-parse --git-path logs/HEAD)))

$(BUILD)/man/berth.1: $(BUILD)/berth
	@rm -rf $(@D)
	@mkdir -p $(@D)
	@$(BUILD)/berth manual --list | while read -r name; do \
	    $(BUILD)/berth manual --troff $$name > $(@D)/berth-$$(echo $$name | tr ' ' -).1 || exit 1; done
	@$(BUILD)/berth manual --troff > $@

$(BUILD)/completion/berth.%: $(BUILD)/berth
	@mkdir -p $(@D)
	@$(BUILD)/berth completion $* > $@

TO = $(abspath $(DESTDIR)$(PREFIX))
# Where zsh looks for functions: Debian's packages put theirs in share/zsh/vendor-completions.
ZSH_FOLDER ?= share/zsh/site-functions
install: all
	install -D -m 755 $(BUILD)/berth $(TO)/bin/berth
	install -D -m 644 $(BUILD)/libberth.a $(TO)/lib/libberth.a
	install -D -m 755 $(BUILD)/libberth.so $(TO)/lib/$(SONAME)
	ln -s -f $(SONAME) $(TO)/lib/libberth.so
	install -D -m 644 include/berth.h $(TO)/include/berth.h
	install -d $(TO)/lib/pkgconfig
	sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' \
	    tools/berth.pc.in > $(TO)/lib/pkgconfig/berth.pc
	install -D -m 644 -t $(TO)/share/man/man1 $(BUILD)/man/*.1
	install -D -m 644 $(BUILD)/completion/berth.bash $(TO)/share/bash-completion/completions/berth
	install -D -m 644 $(BUILD)/completion/berth.zsh $(TO)/$(ZSH_FOLDER)/_berth
	install -D -m 644 $(BUILD)/completion/berth.fish $(TO)/share/fish/vendor_completions.d/berth.fish
	install -D -m 755 -t $(TO)/share/berth/slurm tools/slurm/*.sh
	install -D -m 755 -t $(TO)/share/berth/cloud tools/cloud/*.sh
	install -D -m 644 -t $(TO)/share/berth/workflows/snakemake tools/workflows/snakemake/*
	install -D -m 644 -t $(TO)/share/berth/workflows/nextflow tools/workflows/nextflow/*
	cd data && find forcefields scoring ranking demo -type f -exec install -D -m 644 {} $(TO)/share/berth/{} ';'
	install -D -m 644 -t $(TO)/share/doc/berth *.md LICENSE CITATION.cff
	install -D -m 644 -t $(TO)/share/doc/berth/docs docs/*.md docs/*.png
	install -D -m 644 -t $(TO)/share/doc/berth/bench bench/RESULTS.md
	install -D -m 644 -t $(TO)/share/doc/berth/bench/history bench/history/*.md
	@echo 'berth $(VERSION) is installed: $(abspath $(PREFIX))/bin/berth'
	@case ":$$PATH:" in *':$(abspath $(PREFIX))/bin:'*) ;; *) echo 'Shells do not find it yet: log in anew, or' \
	    'export PATH="$(abspath $(PREFIX))/bin:$$PATH" (in ~/.profile, to last)' ;; esac

deb: all
	sh tools/setup.sh package
	MAKE='$(MAKE)' BUILD=$(BUILD) VERSION=$(VERSION) sh tools/deb.sh

dist:
	BUILD=$(BUILD) VERSION=$(VERSION) sh tools/dist.sh

# The Python module, by what Debian has, without network; in a copy, so that nothing is left in python/.
PYTHON ?= /usr/bin/python3
wheel: $(BUILD)/libberth.a $(BUILD)/berth
	sh tools/setup.sh build python
	rm -rf $(BUILD)/wheel
	mkdir -p $(BUILD)/wheel
	cp -r python $(BUILD)/wheel/python
	rm -rf $(BUILD)/wheel/python/build $(BUILD)/wheel/python/src/*.egg-info
	BERTH_SOURCE='$(CURDIR)' BERTH_BUILD='$(BUILD)' $(PYTHON) -m pip wheel -q --disable-pip-version-check \
	    --no-index --no-build-isolation --no-deps -w $(BUILD)/wheel $(BUILD)/wheel/python
	rm -rf $(BUILD)/wheel/python
	@ls $(BUILD)/wheel/*.whl

# For other systems: with the OpenCL loader inside, and the oldest C library named that will do.
wheel-portable: wheel
	auditwheel repair -w $(BUILD)/wheel/portable $(BUILD)/wheel/*.whl

-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
