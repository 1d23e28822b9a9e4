#!/bin/sh
# What `npm install` does last. It builds the package of the SDK and the pages of browsers, where the packages for that are installed.
set -eu
# A tenth of the packages is for those who debug or compile them: source maps, and the C headers of Node.
find node_modules -type f \( -name '*.[cm]js.map' -o -name '*.js.map' -o -name '*.css.map' -o -name '*.ts.map' -o -name '*.[cm]ts.map' \) -delete
rm -rf node_modules/node/node_modules/*/include
test -x node_modules/.bin/vite || exit 0
# Each takes most of a core.
npm run build -w site &
npm run build -w console -w sdk
wait $!
