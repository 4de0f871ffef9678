#!/bin/sh
# Installs Debian's Chromium for the tests in a browser where it is missing and we may. Ends with 1, saying why, where it is
# not there in the end; the tests are skipped then, and say so.
browser=${TIDINGS_CHROMIUM:-/usr/bin/chromium}
if [ -x "$browser" ]; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "no browser at $browser: the browser tests will be skipped (on Debian: apt-get install chromium)" >&2
    exit 1
fi
echo "installing chromium for the browser tests" >&2
if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null; then
    echo "chromium could not be installed: the browser tests will be skipped" >&2
    exit 1
fi
