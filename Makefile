.DEFAULT_GOAL := help
.PHONY: help demo start test test-browser check release bench chaos clean

NODE := node_modules/.bin/node

help: ## Show these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: node_modules/.installed ## Run the main job once, from a request to the Results
	@$(NODE) src/cli.ts demo

start: node_modules/.installed ## Run everything: server, worker, outbox, embedded PostgreSQL
	@$(NODE) src/cli.ts start --show-secrets

test: node_modules/.installed ## Check types, lint, and run all tests on a real PostgreSQL
	@npm test

test-browser: node_modules/.installed ## Test the pages in Chromium; pictures go to .data/screenshots
	@test/browser/install
	@npm run -s test:browser

check: node_modules/.installed ## Check types and lint only
	@npm run -s check

release: node_modules/.installed ## Build the package and the list of what is in it, in .data/release
	@$(NODE) deploy/package.ts

bench: node_modules/.installed ## Measure speed and compare with references; write docs/performance.md
	@$(NODE) test/bench/run.ts

chaos: node_modules/.installed ## Kill workers, crash PostgreSQL, break the relay, and count what is lost or repeated
	@$(NODE) test/chaos/run.ts

clean: ## Remove installed packages and all local data
	rm -rf node_modules .data .tap

# The lockfile's packages include Node: npm only warns when the system's Node is older.
node_modules/.installed: package.json package-lock.json $(wildcard patches/*)
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@
