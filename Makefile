GO      ?= go
# One way to compile for programs, tests and what tests build: each package is compiled once.
export CGO_ENABLED := 0
export GOFLAGS     := -trimpath $(filter-out -trimpath,$(GOFLAGS))
BIN     := bin
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
# The lab and the demo, on Linux.
LAB     := $(if $(filter linux,$(shell $(GO) env GOOS)),./cmd/seaworthy-lab)
LDFLAGS := -s -w -X seaworthy/internal/cli/command.version=$(VERSION) -X main.version=$(VERSION)

FIELD_CASES ?= ../shared/field/cases

.PHONY: docs ansible-test packages release test-packages reproducible field-cases all build node install generate probes demo pictures support-matrix security-tests fuzz-coverage layers test torture torture-linux tune-torture diagnose-cases guests power-guest test-guests test-ppc64le lint bench clean

all: build

build: $(if $(LAB),node)
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BIN)/ ./cmd/seaworthy ./cmd/seaworthy-probe $(LAB)

# What answers on the nodes of a lab, which seaworthy-lab holds: see lab/shim/program.
node:
	$(GO) build -buildvcs=false -ldflags '-s -w' \
	  -o lab/shim/program/built/node-$$($(GO) env GOARCH) ./lab/shim/node

# The eBPF objects of the lab, which are committed: only who changes a .bpf.c file needs clang, llvm-strip and
# libbpf's headers (Debian 12, clang 14: clang llvm libbpf-dev linux-libc-dev).
generate:
	BPF2GO_CFLAGS="-O2 -g -Wall -Werror -mcpu=v3 -I/usr/include/$$(uname -m)-linux-gnu" $(GO) generate ./lab/...

# bin/ to PREFIX/bin.
PREFIX ?= /usr/local
install:
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BIN)/seaworthy* $(DESTDIR)$(PREFIX)/bin/

# Packages of the source as it is: Debian, RPM, AIX, macOS, with checksums and bills of materials. PLATFORMS=linux/amd64
# makes those alone.
PLATFORMS ?=
packages:
	$(GO) run ./internal/tools/release -o out/packages -platforms "$(PLATFORMS)"

# A release: of a commit, with the version on top of CHANGELOG.md. KEY is the SSH key that signs (docs/releasing.md).
KEY ?=
release:
	$(GO) run ./internal/tools/release -version "$(VERSION)" -o "out/release/$(VERSION)" -key "$(KEY)"

# Installs, uses and removes the packages in clean roots: needs root, mmdebstrap and rpm.
test-packages:
	packaging/test-install out/packages

# Builds the packages of PLATFORMS twice, the second time from another folder and without what the first compiled: the same bytes.
reproducible:
	packaging/test-reproducible "$(PLATFORMS)"

# The probe for every kind of host that bench can put it on.
probes:
	@for t in aix/ppc64 linux/amd64 linux/arm64 linux/ppc64le; do \
	  os=$${t%/*} arch=$${t#*/}; echo "seaworthy-probe-$$os-$$arch"; \
	  GOOS=$$os GOARCH=$$arch $(GO) build -ldflags '$(LDFLAGS)' \
	    -o $(BIN)/seaworthy-probe-$$os-$$arch ./cmd/seaworthy-probe || exit 1; done

demo: build
	@mkdir -p out
	$(BIN)/seaworthy demo --html out/demo.html

# Pictures of the documentation, from the real output of the built program.
pictures: build
	@mkdir -p out
	test -d out/python || { python3 -m venv out/python && out/python/bin/pip install -q rich==14.1.0; }
	script -qec '$(BIN)/seaworthy demo 2>/dev/null' /dev/null > out/demo.ansi
	out/python/bin/python docs/pictures/terminal.py 'make demo' < out/demo.ansi > docs/pictures/demo.svg
	$(BIN)/seaworthy-lab lab up dual-vios --name pictures
	rm -rf out/pictures; $(BIN)/seaworthy collect -i lab:pictures -o out/pictures; $(BIN)/seaworthy-lab lab down pictures
	$(BIN)/seaworthy audit --path lpar1,lpar2 out/pictures -f svg --fail-on never > docs/pictures/path.svg
	$(BIN)/seaworthy plan out/pictures --jumbo lpar1,lpar2 -o out/jumbo.json > out/jumbo.txt; test $$? = 2
	$(BIN)/seaworthy rehearse out/jumbo.json --from out/pictures --measure 0s -f svg > docs/pictures/rehearse.svg

# The documentation as a site that works without a network: out/site/index.html. The first
# time it needs Python 3 with venv, and PyPI for what docs/site/requirements.txt pins.
docs:
	$(GO) run ./internal/tools/site -o out/site-src
	cmp -s docs/site/requirements.txt out/site-python/requirements.txt || { \
	  python3 -m venv --clear out/site-python && \
	  out/site-python/bin/pip install -q --disable-pip-version-check --require-hashes -r docs/site/requirements.txt && \
	  cp docs/site/requirements.txt out/site-python/; }
	NO_MKDOCS_2_WARNING=1 out/site-python/bin/mkdocs build --strict --quiet --config-file docs/site/mkdocs.yml

# The JSON Schema of a file of known defects, for editors and sites.
defects-schema:
	$(GO) run ./cmd/seaworthy defects ls --schema

# What seaworthy takes for granted, and which real outputs it was read from.
support-matrix:
	$(GO) run ./internal/tools/supportmatrix > docs/support-matrix.md.new && mv docs/support-matrix.md.new docs/support-matrix.md

# docs/security-tests.md, from the attacks that tests make and the fuzz targets.
security-tests:
	$(GO) run ./internal/tools/securitytests > docs/security-tests.md.new && mv docs/security-tests.md.new docs/security-tests.md

# Functions that read the text of hosts, users or files and have no fuzz target: none.
fuzz-coverage:
	$(GO) run ./internal/tools/securitytests -readers

# The picture of the layers in docs/architecture.md, from what the packages import.
layers:
	$(GO) run ./internal/tools/layers

# Tests with hosts wait more than they compute: more of them, and of packages, side by
# side than processors. Those that take longest begin first. Several start the
# programs, which are built for all of them. make lint vets. A POWER guest that has an
# image is booted once.
PARALLEL ?= 4
LONGEST  := $(if $(LAB),./internal/change/watchdog ./lab/cli ./cmd/seaworthy ./lab/assemble ./lab/e2e ./internal/cli ./lab/chaos)
test: $(if $(LAB),node)
	@mkdir -p out/programs
	$(GO) build -ldflags '-s -w' -o out/programs/ ./cmd/seaworthy ./cmd/seaworthy-probe $(LAB)
	SEAWORTHY_PROGRAMS=$(CURDIR)/out/programs $(if $(wildcard $(GUESTS)/pseries/stamp),SEAWORTHY_GUESTS=$(GUESTS) GUEST_TESTS=one) \
	  $(GO) test -vet=off -timeout 20m -ldflags "-s -w" -p $(PARALLEL) -parallel $(PARALLEL) $(LONGEST) ./...

# Changes of lab hosts while things go wrong: N rounds, the same for one SEED,
# taken by LABS labs side by side, since a round is mostly waiting.
# The result of each is a line of out/torture-SEED.jsonl. UP are further flags of
# lab up: make torture UP="--strict --shell mksh".
N    ?= 50
SEED ?= 1
LABS ?= 4
torture:
	@mkdir -p out
	$(GO) test ./lab/chaos -run '^TestTorture$$' -count=1 -timeout 0 -v -parallel $(LABS) -labs $(LABS) -rounds $(N) -seed $(SEED) -up "$(UP)" \
		-results $(CURDIR)/out/torture-$(SEED).jsonl

# Studies of tune that are killed at random moments: N of them. The result of each is a line of out/tune-torture-SEED.jsonl.
tune-torture:
	@mkdir -p out
	$(GO) test ./lab/chaos -run TestTuneTorture -count=1 -timeout 0 -v -parallel $(LABS) -labs $(LABS) -studies $(N) -seed $(SEED) \
		-results $(CURDIR)/out/tune-torture-$(SEED).jsonl

# The same on Linux hosts: N rounds on one without systemd, whose restarts take a second,
# and REAL on a guest with systemd, whose kernel restarts. It needs root and their images:
# make guests.
REAL ?= $(shell expr $(N) / 10)
torture-linux:
	@mkdir -p out
	SEAWORTHY_GUESTS=$(GUESTS) $(GO) test ./lab/chaos -run TestTortureLinux -count=1 -timeout 0 -v -seed $(SEED) \
		-sysv $(N) -guest $(REAL) -results $(CURDIR)/out/torture-linux-$(SEED).jsonl

# Labs with faults, and what seaworthy diagnose calls them: N cases of one fault,
# SEVERAL of two or three and HEALTHY of none, the same for one SEED. The result of
# each is a line of out/diagnose-cases-SEED.jsonl, the table stands in the .txt beside it.
# KINDS=flap,loss has those single faults alone.
SEVERAL ?= $(shell expr $(N) \* 2 / 5)
HEALTHY ?= $(shell expr $(N) \* 2 / 3)
diagnose-cases:
	@mkdir -p out
	$(GO) test ./lab/faultcases -count=1 -timeout 0 -v -parallel $(LABS) -labs $(LABS) -topologies 0 -seed $(SEED) \
		-singles $(N) -several $(SEVERAL) -healthy $(HEALTHY) -kinds "$(KINDS)" -results $(CURDIR)/out/diagnose-cases-$(SEED).jsonl

# Published cases of slow networks whose cause is known: how many are named. FIELD_CASES is a folder of such cases.
field-cases: build
	$(GO) run ./internal/tools/fieldcases -program $(BIN)/seaworthy $(FIELD_CASES)

# The Ansible collection: built, ansible-test sanity, and plays against labs with the ansible-playbook that is
# installed. Needs PyPI.
ansible-test: build
	ansible/tests/sanity
	ansible/tests/run $(BIN) all

# Real Linux kernels as hosts (docs/guests.md): needs root, QEMU and, once, Debian's packages.
GUESTS ?= $(CURDIR)/out/guest
KIND   ?= pseries
guests: build
	for k in pseries ifupdown networkd networkmanager server tuners; do $(BIN)/seaworthy-lab lab guest $$k --build --dir $(GUESTS) || exit 1; done

power-guest: build
	$(BIN)/seaworthy-lab lab guest $(KIND) --dir $(GUESTS)

# Those guests that have an image.
test-guests:
	SEAWORTHY_GUESTS=$(GUESTS) $(GO) test ./lab/guest -count=1 -timeout 60m -v

# Tests of packages that touch no kernel, but those of speed, as programs of POWER under qemu-ppc64le-static.
PURE := ./internal/parse/linux/... ./internal/parse/linewise ./internal/parse/registry ./internal/knowledge ./internal/change/plan ./internal/change/task ./internal/change/ticket \
  ./internal/audit/expr ./internal/audit/rule
test-ppc64le:
	GOARCH=ppc64le $(GO) build -o /dev/null ./cmd/seaworthy
	GOARCH=ppc64le $(GO) test -vet=off -exec qemu-ppc64le-static -skip 'Fast|Growth' -timeout 60m $(PURE)

lint:
	./.ci/lint

bench: build
	$(GO) run ./internal/tools/benchmarks -o out

clean:
	rm -rf $(BIN) out
