#!/bin/sh
# What `npm install` does last. It builds the packages of the SDK and the command line and the pages of browsers, where the packages for that are installed.
set -eu
# A seventh of the packages is for those who debug, test, read or compile them: source maps, sources in TypeScript, tests, pages, C headers.
find node_modules -type f \( -name '*.[cm]js.map' -o -name '*.js.map' -o -name '*.css.map' -o -name '*.ts.map' -o -name '*.[cm]ts.map' \
  -o -name '*.ts' ! -name '*.d.ts' -o -name '*.d.cts' -o -iname '*.md' ! -iname 'license*' \) -delete
find node_modules -type d \( -name test -o -name tests -o -name __tests__ -o -name benchmark -o -name benchmarks -o -name example -o -name examples \
  -o -name docs -o -name .github -o -name .yarn \) -prune -exec rm -rf {} +
rm -rf node_modules/node/node_modules/*/include
# Builds for old browsers and for CommonJS, and a program that shows traces.
rm -rf node_modules/pdfjs-dist/legacy node_modules/@mantine/*/cjs node_modules/playwright-core/lib/vite
test -x node_modules/.bin/vite || exit 0
# Each takes most of a core.
npm run build -w site &
npm run build -w console -w sdk
npm run -s build:cli
wait $!
