#!/bin/sh
# Installs Debian's PostgreSQL for the trials and tests that start a server of their own, where it is missing and we may.
# Ends with 1, saying why, where it is not there in the end; the tests are skipped then, and say so.
for program in /usr/lib/postgresql/*/bin/postgres; do
    if [ -x "$program" ]; then
        exit 0
    fi
done
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "no PostgreSQL server: what needs one will be skipped (on Debian: apt-get install postgresql)" >&2
    exit 1
fi
echo "installing postgresql for the tests" >&2
if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null; then
    echo "postgresql could not be installed: what needs it will be skipped" >&2
    exit 1
fi
