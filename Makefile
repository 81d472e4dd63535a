# Everything that a developer or a user types. `make` alone lists it.
#
# PYTHON chooses the interpreter (3.11 or later); another than the default has an environment of its own.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables

PYTHON ?= python3
VENV := $(if $(filter python3,$(PYTHON)),.venv,.venv-$(notdir $(PYTHON)))
BIN := $(VENV)/bin
PROTOS := $(shell find proto/monsters -name '*.proto')
GOOGLE_PROTOS := $(shell find proto/googleapis -name '*.proto')
RUNTIME := $(VENV)/.runtime
TOOLS := $(VENV)/.tools
REPLICAS := $(VENV)/.replicas
DOCS := $(VENV)/.docs
WHEELS := $(CURDIR)/build/wheels
OPENSPIEL := $(VENV)-peers/.installed
BOARDGAME := loadtests/peers/boardgame_io/node_modules/.package-lock.json
PYRIGHT := tests/typing/node_modules/.package-lock.json
JUDGE := $(VENV)-checkov
STUBS := proto/gen/.stamp
GENERATED := tests/generated/node_modules/.package-lock.json
NODE_MODULES := clients/node_modules/.package-lock.json
TYPESCRIPT := clients/typescript
TYPESCRIPT_STUBS := $(TYPESCRIPT)/src/gen/index.ts
TYPESCRIPT_BUILT := $(TYPESCRIPT)/dist/index.js
TYPESCRIPT_SOURCES := $(wildcard $(TYPESCRIPT)/*.json) $(shell find $(TYPESCRIPT)/src -path $(TYPESCRIPT)/src/gen -prune -o -type f -print)
WEB := clients/web
WEB_PAGE := $(WEB)/dist/index.html
WEB_SOURCES := $(wildcard $(WEB)/*.html $(WEB)/*.ts $(WEB)/*.json) $(shell find $(WEB)/src -type f)
TESTS ?=
ARGUMENTS ?=
NAME ?=
IMAGE ?= lair
BASE_IMAGE ?= docker.io/library/python:3.13-slim
BUILDER ?= docker build
RUNNER ?= docker run
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
REVISION = $(shell git describe --always --dirty)
INSTALL = -m pip install --quiet --disable-pip-version-check
PINNED = $(INSTALL) --require-hashes -r
BUILD_IMAGE = $(BUILDER) --file deploy/Dockerfile --build-arg BASE_IMAGE=$(BASE_IMAGE) --build-arg VERSION=$(VERSION) --build-arg REVISION=$(REVISION)

.PHONY: help
help: ## Show this list.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | while IFS=$$'\t' read -r target text; do printf '  make %-14s %s\n' "$$target" "$$text"; done

# ---- setting up -----------------------------------------------------------------------------------------------------

# Each step says in one line what it does before it does it: the first ones take a minute or two.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Lair needs Python 3.11 or later; $(PYTHON) is older or missing. Try: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Making an environment for Python in $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { echo "$(PYTHON) can't make an environment. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

$(RUNTIME): requirements/run.txt pyproject.toml clients/python/pyproject.toml clients/python/hatch_build.py | $(VENV)/bin/python
	@echo "Installing what running needs: $$(grep -c '==' $<) packages, usually in a minute or two"
	@$(BIN)/python $(PINNED) $<
	@$(BIN)/python $(INSTALL) --no-deps --no-build-isolation -e clients/python -e .
	@touch $@

$(TOOLS): requirements/dev.txt requirements/deploy.txt $(RUNTIME)
	@echo "Installing what testing and checking need: $$(cat $(filter %.txt,$^) | grep -c '==') packages, usually in a minute or two"
	@for file in $(filter %.txt,$^); do $(BIN)/python $(PINNED) $$file; done
	@touch $@

$(REPLICAS): requirements/replicas.txt $(RUNTIME)
	@echo "Installing PostgreSQL"
	@$(BIN)/python $(PINNED) $<
	@touch $@

$(DOCS): requirements/docs.txt $(RUNTIME)
	@echo "Installing what makes the site of the documents: $$(grep -c '==' $<) packages"
	@$(BIN)/python $(PINNED) $<
	@touch $@

$(JUDGE)/.ready: requirements/checkov.txt | $(VENV)/bin/python
	@echo "Installing checkov into $(JUDGE): $$(grep -c '==' $<) packages"
	@$(PYTHON) -m venv $(JUDGE)
	@$(JUDGE)/bin/python $(PINNED) $<
	@touch $@

$(STUBS): proto/generate.py $(PROTOS) $(GOOGLE_PROTOS) | $(RUNTIME)
	@echo "Generating code from the protos"
	@$(BIN)/python proto/generate.py
	@touch $@

.PHONY: install
install: $(RUNTIME) $(STUBS) ## Set up what running needs.

.PHONY: develop
develop: $(TOOLS) $(STUBS) ## Set up what testing and checking need, too.

.PHONY: requirements
requirements: ## Pin the newest versions of requirements/*.in, with hashes (needs uv).
	for name in run dev replicas docs peers image loadtest deploy checkov; do uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command 'make requirements' requirements/$$name.in -o requirements/$$name.txt; done

# ---- using ----------------------------------------------------------------------------------------------------------

.PHONY: run
run: install ## Serve every game: gRPC on 127.0.0.1:50051, HTTP on :8080, sessions in ./lair.db.
	@LAIR_EDGE="$${LAIR_EDGE:-127.0.0.1:8080}" LAIR_SITE="$${LAIR_SITE:-$$(test -f $(WEB_PAGE) && echo $(WEB)/dist || echo off)}" exec $(BIN)/python -m services

.PHONY: run-replicas
run-replicas: install $(REPLICAS) ## Serve by three servers on one PostgreSQL behind one edge on :8080, sessions in ./lair-postgresql.
	@LAIR_SITE="$${LAIR_SITE:-$$(test -f $(WEB_PAGE) && echo $(WEB)/dist || echo off)}" exec $(BIN)/python -m services.replicas $(ARGUMENTS)

.PHONY: web
web: $(WEB_PAGE) ## Build the page for browsers, which `make run` serves from then on (needs Node 20.19).

$(WEB_PAGE): $(TYPESCRIPT_BUILT) $(WEB_SOURCES)
	npm run build --silent --prefix $(WEB) -- --logLevel warn

$(TYPESCRIPT_BUILT): $(TYPESCRIPT_STUBS) $(TYPESCRIPT_SOURCES)
	npm run build --silent --prefix $(TYPESCRIPT)
	touch $@

$(TYPESCRIPT_STUBS): $(PROTOS) $(GOOGLE_PROTOS) $(wildcard $(TYPESCRIPT)/*.js $(TYPESCRIPT)/*.yaml) $(NODE_MODULES)
	npm run generate --silent --prefix $(TYPESCRIPT)

$(NODE_MODULES): $(addprefix clients/,.npmrc package.json package-lock.json typescript/package.json web/package.json)
	@node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)' 2>/dev/null || { echo "The page and the client for TypeScript are built with Node 20.19 or later, and npm: it is older here, or missing"; exit 1; }
	npm ci --ignore-scripts --loglevel=error --no-progress --prefix clients
	touch $@

.PHONY: demo
demo: install ## Start everything, play and verify one game of each game, stop. LAIR_SERVER=host:port plays there.
	@$(BIN)/python -m services.demo

.PHONY: new-game
new-game: develop ## Write a tiny playable game to start from: make new-game NAME=goblins.
	@$(BIN)/python -m services.scaffold "$(NAME)"

.PHONY: corpus
corpus: develop ## Record games of every game whose version has changed, which `make test` plays again.
	@$(BIN)/python -m tests.support.corpus

# ---- judging --------------------------------------------------------------------------------------------------------

.PHONY: test
test: develop ## Run every test, the fast ones first. TESTS=tests/laws runs some of them.
	@$(BIN)/python tests/run.py $(TESTS) $(ARGUMENTS)

.PHONY: check
check: develop ## Lint, types, architecture, contract: everything but the tests.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python proto/render.py --check
	$(BIN)/buf format --diff --exit-code proto
	$(BIN)/buf lint proto
	$(BIN)/python proto/breaking.py
	$(BIN)/hadolint deploy/Dockerfile

.PHONY: check-deploy
check-deploy: manifests $(JUDGE)/.ready ## Judge the manifests with checkov, which has an environment of its own.
	$(JUDGE)/bin/checkov --config-file deploy/checkov.yaml --directory build/k8s

.PHONY: check-web
check-web: $(TYPESCRIPT_BUILT) $(GENERATED) ## The same for the page and its client, and their tests that need no browser (needs Node 20.19).
	npm run check --silent --prefix $(TYPESCRIPT)
	npm test --silent --prefix $(TYPESCRIPT)
	npm run check --silent --prefix $(WEB)
	npm test --silent --prefix $(WEB)

.PHONY: pyright
pyright: $(PYRIGHT) ## Install pyright, with which tests/typing judges the SDK's types (needs Node 20).

$(PYRIGHT): $(addprefix tests/typing/,package.json package-lock.json .npmrc)
	@command -v npm >/dev/null || { echo "pyright needs Node 20 or later, with npm"; exit 1; }
	npm ci --loglevel=error --no-progress --prefix tests/typing
	touch $@

$(GENERATED): $(addprefix tests/generated/,package.json package-lock.json .npmrc)
	npm ci --loglevel=error --no-progress --prefix tests/generated
	touch $@

.PHONY: format
format: develop ## Format the code and the protos, and render the services of the games.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/python proto/render.py
	$(BIN)/buf format --write proto

.PHONY: bench
bench: develop ## Measure, as ratios against baselines of the same run; writes build/bench.json.
	@$(BIN)/python -m loadtests.bench $(ARGUMENTS)

.PHONY: bench-peers
bench-peers: develop $(OPENSPIEL) $(BOARDGAME) ## Measure beside boardgame.io and OpenSpiel (needs Node 20); writes build/peers.json.
	@$(BIN)/python -m loadtests.peers --openspiel $(VENV)-peers/bin/python $(ARGUMENTS)

$(OPENSPIEL): requirements/peers.txt | $(VENV)/bin/python
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/peers.txt
	touch $@

$(BOARDGAME): $(addprefix loadtests/peers/boardgame_io/,package.json package-lock.json .npmrc)
	@command -v npm >/dev/null || { echo "boardgame.io needs Node 20 or later, with npm"; exit 1; }
	npm ci --loglevel=error --no-progress --prefix loadtests/peers/boardgame_io
	touch $@

.PHONY: growth
growth: develop ## Measure how the cost of a move grows; writes build/growth.json and pictures.
	@$(BIN)/python -m loadtests.growth $(ARGUMENTS)

.PHONY: price
price: develop ## Look for the dearest request of each method, with hostile ones; writes build/price.json.
	@$(BIN)/python -m loadtests.price $(ARGUMENTS)

.PHONY: load
load: develop ## Put a crowd of users on a server, and check whatever it says; writes build/load.html.
	@$(BIN)/python -m loadtests.crowd $(ARGUMENTS)

# ---- documents --------------------------------------------------------------------------------------------------------

.PHONY: docs
docs: install $(DOCS) ## Make a site of the documents, with the SDK, the contract and the commands, in build/docs.
	@$(BIN)/python -m sphinx --quiet --fresh-env --fail-on-warning --keep-going --conf-dir docs/site --doctree-dir build/doctrees . build/docs
	@echo "Open build/docs/index.html"

# ---- handing out ------------------------------------------------------------------------------------------------------

.PHONY: wheels
wheels: install ## Build the distributions of the client and of the servers, into build/wheels.
	rm -rf $(WHEELS)
	cd clients/python && $(abspath $(BIN))/python -m hatchling build --target sdist --directory $(WHEELS)
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir $(WHEELS) $(WHEELS)/lair_games-*.tar.gz .
	@client=$$(echo $(WHEELS)/lair_games-*.whl) servers=$$(echo $(WHEELS)/lair_services-*.whl); printf '%s\n' "" \
	  "  Next, in an environment of yours:" \
	  "    pip install '$$client[cli]'    # the SDK and the command line; without [cli] the SDK alone" \
	  "    pip install $$client $$servers    # the SDK, and the servers for lair.testing" ""

.PHONY: npm-package
npm-package: $(NODE_MODULES) ## Pack the client for TypeScript, into build/npm (needs Node 20.19).
	rm -rf build/npm && mkdir -p build/npm
	cd $(TYPESCRIPT) && npm pack --silent --pack-destination $(CURDIR)/build/npm

# ---- deploying ------------------------------------------------------------------------------------------------------

.PHONY: image
image: $(WEB_PAGE) ## Build the image, with the page. IMAGE, BASE_IMAGE and BUILDER ("buildah bud") choose its name, its base and what builds it.
	$(BUILD_IMAGE) --target server --tag $(IMAGE):$(VERSION) .

.PHONY: check-image
check-image: develop ## Run the image as the manifests say, and play on it. RUNNER ("podman run") chooses what runs it.
	@IMAGE=$(IMAGE):$(VERSION) RUNNER="$(RUNNER)" $(BIN)/python tests/run.py tests/deploy/image.py $(ARGUMENTS)

.PHONY: image-loadtest
image-loadtest: ## Build the image of the load test, in the same way.
	$(BUILD_IMAGE) --target loadtest --tag $(IMAGE)-loadtest:$(VERSION) .

.PHONY: manifests
manifests: develop ## Render every overlay as one file, into build/k8s.
	mkdir -p build/k8s
	for overlay in deploy/k8s/overlays/*; do $(BIN)/kubectl kustomize $$overlay -o build/k8s/$${overlay##*/}.yaml; done

.PHONY: clean
clean: ## Remove everything that was built. Games in lair.db and lair-postgresql stay.
	rm -rf .venv .venv-* loadtests/peers/boardgame_io/node_modules tests/typing/node_modules tests/generated/node_modules clients/node_modules $(TYPESCRIPT)/dist $(TYPESCRIPT)/src/gen $(WEB)/dist build proto/gen .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
